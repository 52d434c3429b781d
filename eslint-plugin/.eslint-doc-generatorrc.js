import { format, resolveConfig } from 'prettier';

const readme = 'https://github.com/mcp-listen/mcp-listen/blob/main/eslint-plugin/README.md#use';

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
