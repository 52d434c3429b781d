/** The part of jscodeshift that makes its parsers, for which `@types/jscodeshift` has no types. */
declare module 'jscodeshift/src/getParser.js' {
  const getParser: (name: string, options?: unknown) => { parse(text: string): unknown };
  export default getParser;
}
