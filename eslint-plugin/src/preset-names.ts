/** The names of the configurations. */
export const PRESETS = ['recommended', 'strict', 'migration'] as const;

/** One of {@link PRESETS}. */
export type Preset = (typeof PRESETS)[number];
