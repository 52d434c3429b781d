import { format, resolveConfig } from 'prettier';

const readme = 'https://www.npmjs.com/package/eslint-plugin-mcp-listen#use';

/** @type {import('eslint-doc-generator').GenerateOptions} */
export default {
  configEmoji: [
    ['recommended', '✅'],
    ['strict', '🔒'],
    ['migration', '🚚'],
  ],
  ruleDocTitleFormat: 'name',
  urlConfigs: readme,
  postprocess: async (content, path) => format(content, { ...(await resolveConfig(path)), filepath: path }),
};
