/** What a package says of how many instances of it run side by side. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** A file of deployment, and what in it means several instances. */
const DEPLOYMENTS: readonly (readonly [files: readonly string[], pattern: RegExp])[] = [
  [
    ['ecosystem.config.js', 'ecosystem.config.cjs', 'ecosystem.config.mjs', 'ecosystem.config.json'],
    /["']?instances["']?\s*:\s*(?:["']?max["']?|-1|0\b|["']?(?:[2-9]|[1-9]\d+)\b)/,
  ],
  [
    [
      'docker-compose.yml',
      'docker-compose.yaml',
      'compose.yml',
      'compose.yaml',
      'deployment.yaml',
      'k8s/deployment.yaml',
    ],
    /^\s*replicas:\s*(?:[2-9]|[1-9]\d+)\b/m,
  ],
  [['fly.toml'], /^\s*min_machines_running\s*=\s*(?:[2-9]|[1-9]\d+)\b/m],
  [['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'], /\bmain\b/],
  [['serverless.yml', 'serverless.yaml'], /^functions:/m],
];

const known = new Map<string, string | undefined>();

/** The evidence for several instances, as a message begins; undefined where there is none. */
export function severalInstances(filename: string, text: string): string | undefined {
  if (/\bcluster\.fork\(/.test(text) && /['"](?:node:)?cluster['"]/.test(text))
    return 'This file forks several processes';
  const root = packageRoot(filename);
  if (root === undefined) return undefined;
  if (!known.has(root)) known.set(root, deploymentOf(root));
  const file = known.get(root);
  return file === undefined ? undefined : `${file} runs several instances`;
}

function deploymentOf(root: string): string | undefined {
  for (const [files, pattern] of DEPLOYMENTS)
    for (const file of files) {
      const path = join(root, file);
      if (existsSync(path) && pattern.test(read(path))) return file;
    }
  return undefined;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // a file that cannot be read says nothing
  }
}
