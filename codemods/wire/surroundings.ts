/** What a module cannot tell about itself: what its package depends on and answers elsewhere. */
export interface Surroundings {
  /** Whether its package depends on the SDK: a sender that comes from elsewhere may be the SDK's. */
  readonly sdk: boolean;
  /** Where its package answers a listen already, as `file:line`. */
  readonly listen: string | undefined;
}

/** A module by itself, as plain jscodeshift sees it. */
export const ALONE: Surroundings = { sdk: false, listen: undefined };
