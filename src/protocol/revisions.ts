// The two revisions of the protocol that this project stands between.

export const LEGACY_REVISION = '2025-11-25';
export const MODERN_REVISION = '2026-07-28';

/** The SDK's own words: what `client.getProtocolEra()` and a server factory's `ctx.era` say. */
export type Era = 'legacy' | 'modern';

export const ERAS = ['legacy', 'modern'] as const satisfies readonly Era[];
