import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.19',
  // The package has no run-time dependency: protocol, codegen and what rules use of @typescript-eslint/utils go in.
  deps: { alwaysBundle: [/^@typescript-eslint\//] },
  dts: true,
  fixedExtension: false,
  // CommonJS configurations are why there is a second format.
  checks: { legacyCjs: false },
});
