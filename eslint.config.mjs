import tseslint from 'typescript-eslint';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';

/** Imports run one way: what each package may import of ours. Apps never import apps; `single` is the composition root. */
const MAY_IMPORT = {
  'libs/contracts': [],
  'libs/graph': [],
  'libs/query': [],
  'libs/storage': [],
  'libs/isolation': [],
  'libs/egress': [],
  'libs/library': ['contracts', 'graph'],
  'libs/sdk': ['contracts'],
  'libs/persistence': ['contracts'],
  'libs/messaging': ['contracts', 'persistence'],
  'libs/service': ['contracts', 'messaging', 'persistence'],
  'libs/testkit': ['contracts', 'messaging', 'persistence', 'sdk', 'service'],
  'apps/gateway': ['contracts', 'messaging', 'service', 'storage'],
  'apps/auth': ['contracts', 'messaging', 'persistence', 'service'],
  'apps/workflows': ['contracts', 'messaging', 'persistence', 'service', 'graph', 'library', 'storage'],
  'apps/runs': ['contracts', 'messaging', 'persistence', 'service', 'graph', 'storage'],
  'apps/worker': ['contracts', 'messaging', 'service', 'egress', 'graph', 'isolation', 'storage'],
  'apps/datasets': ['contracts', 'messaging', 'persistence', 'query', 'service', 'storage'],
  'apps/billing': ['contracts', 'messaging', 'persistence', 'service'],
  'apps/notifications': ['contracts', 'messaging', 'persistence', 'service', 'egress'],
  'apps/cli': ['sdk'],
};

const dependencyRules = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) => [
  dependencyRule(folder, allowed, { files: [`${folder}/src/**/*.ts`], ignores: ['**/*.spec.ts', '**/testing/**'] }),
  dependencyRule(folder, [...allowed, 'testkit'], { files: [`${folder}/src/**/testing/**/*.ts`] }),
]);

function dependencyRule(folder, allowed, where) {
  const own = folder.split('/')[1];
  const open = [...allowed, own].map((name) => `${name}(/|$)`).join('|');
  return {
    ...where,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^@millrace/(?!${open})`,
              message: `${folder} may import of ours only: ${allowed.join(', ') || 'nothing'}`,
            },
            ...(folder === 'libs/contracts'
              ? [{ regex: '^(node:|@nestjs)', message: 'contracts is zod only: it also runs in browsers' }]
              : []),
            ...(folder === 'libs/graph' || folder === 'libs/query'
              ? [{ regex: '^node:', message: `${own} is pure: no I/O, no clock` }]
              : []),
          ],
        },
      ],
    },
  };
}

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'libs/persistence/src/generated/**', '.millrace/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/internal-regex': '^@millrace/',
      'import-x/resolver-next': [
        createNodeResolver({
          conditionNames: ['source', 'node', 'import', 'default'],
          extensions: ['.ts', '.js', '.mjs'],
          extensionAlias: { '.js': ['.ts', '.js'] },
        }),
      ],
    },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'import-x/order': [
        'error',
        { groups: ['builtin', 'external', 'internal', 'parent', 'sibling'], 'newlines-between': 'never' },
      ],
      'import-x/no-cycle': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'one zod schema per app reads the environment: env.ts' },
      ],
    },
  },
  {
    files: [
      '**/env.ts',
      '**/*-env.ts',
      '**/main.ts',
      '**/*.spec.ts',
      'libs/persistence/src/{migrate,create-migration}.ts',
      'bench/**',
      'e2e/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  ...dependencyRules,
);
