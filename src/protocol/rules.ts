// The names of the lint rules, so that a shape, a marker and a finding can point at one without the plugin.

export const RULE_NAMES = [
  // Leaving the 2025 era
  'no-resource-subscribe',
  'no-get-stream',
  'no-last-event-id',
  'no-duplicate-delivery',
  'close-by-transport',
  'no-unfinished-migration',
  // Clients
  'require-modern-era',
  'no-unchecked-ack',
  'require-listen',
  'valid-listen-filter',
  'refetch-after-ack',
  'no-state-from-notification',
  'bounded-relisten',
  'watch-subscription-end',
  'no-fatal-refusal',
  'no-listen-deadline',
  'no-extension-on-listen',
  'invalidate-on-notification',
  'no-era-confusion',
  // Servers
  'no-instance-push',
  'no-change-on-request-stream',
  'no-progress-on-listen',
  'publish-needs-capability',
  'no-silent-advertising',
  'no-subscriber-gate',
  'no-lost-subscribe-check',
  'no-handwritten-listen',
  'no-request-scoped-handler',
  'no-work-in-factory',
  'get-answers-405',
  'graceful-close',
  'no-server-request-on-modern',
  'listen-in-method-tables',
  'shared-event-bus',
  // Raw wire
  'ack-first',
  'tag-subscription-id',
  'check-subscription-id',
  'wait-for-ack',
  'stop-on-disconnect',
  'listen-request-shape',
  'unique-listen-id',
  'honor-filter',
  'authorize-filter-uris',
] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/** The configurations of the plugin. */
export const PRESETS = ['recommended', 'strict', 'migration'] as const;

/** One of {@link PRESETS}. */
export type Preset = (typeof PRESETS)[number];
