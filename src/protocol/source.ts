// Where a fact comes from. Every row of this folder carries one.

/** How binding a statement is: the spec's own words, or what we know about a point that the spec does not settle. */
export type SourceLevel =
  | 'MUST'
  | 'MUST NOT'
  | 'SHOULD'
  | 'SHOULD NOT'
  | 'MAY'
  | 'REQUIRED'
  | 'definition'
  | 'measured'
  | 'unspecified'
  | 'disputed';

/**
 * `page` is relative to the 2026-07-28 specification, or begins with another revision (`2025-11-25/…`), `schema`, a SEP
 * (`SEP-2575`), or, for what was measured, the package that was run (`@modelcontextprotocol/client@2.4.0`).
 */
export interface Source {
  readonly page: string;
  readonly section?: string;
  readonly level: SourceLevel;
}
