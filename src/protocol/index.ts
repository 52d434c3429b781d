// Both eras of the protocol as data. Everything else in this project reads its method names, headers and SDK names here.
export * from './source.js';
export * from './revisions.js';
export * from './methods.js';
export * from './notifications.js';
export * from './filter.js';
export * from './meta-keys.js';
export * from './headers.js';
export * from './error-codes.js';
export * from './sdk.js';
export * from './rules.js';
export * from './evidence.js';
export * from './shapes.js';
