// The reserved `_meta` keys that a subscription needs.
import type { Source } from './source.js';

export const META = {
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

export type MetaKey = (typeof META)[keyof typeof META];

export interface MetaKeyRow {
  readonly name: MetaKey;
  readonly on: 'request' | 'subscription';
  readonly source: Source;
}

export const META_KEYS: readonly MetaKeyRow[] = [
  // On every notification of a subscription, its acknowledgment, and the result that ends it (C1, C2, D6).
  {
    name: META.subscriptionId,
    on: 'subscription',
    source: { page: 'basic/index.mdx', section: 'C1', level: 'MUST' },
  },
  {
    name: META.protocolVersion,
    on: 'request',
    source: { page: 'basic/index.mdx', section: 'Per-request protocol fields', level: 'MUST' },
  },
  {
    name: META.clientCapabilities,
    on: 'request',
    source: { page: 'basic/index.mdx', section: 'Per-request protocol fields', level: 'MUST' },
  },
  {
    name: META.clientInfo,
    on: 'request',
    source: { page: 'basic/index.mdx', section: 'Per-request protocol fields', level: 'SHOULD' },
  },
  {
    name: META.logLevel,
    on: 'request',
    source: { page: 'server/utilities/logging.mdx', section: 'E4', level: 'MUST NOT' },
  },
];
