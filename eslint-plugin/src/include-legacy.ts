/** The option of rules that find what is left of 2025: silent on code that speaks it alone, unless that is asked for. */
import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';

/** What such a rule is given; `migration` turns it on. */
export interface IncludeLegacy {
  readonly includeLegacy: boolean;
}

export const INCLUDE_LEGACY: Readonly<Record<keyof IncludeLegacy, JSONSchema4>> = {
  includeLegacy: {
    type: 'boolean',
    default: false,
    description:
      'Also report code that speaks the 2025 era alone, as is wanted on the way to the modern one.',
  },
};
