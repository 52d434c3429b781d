/** Edits are sorted, checked and applied in one place, which the codemods that also run alone share. */
export * from '../codegen/edits.js';
