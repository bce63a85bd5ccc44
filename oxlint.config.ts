import { defineConfig, type OxlintOverride } from 'oxlint';

/** Imports run one way: which of our packages each package may import. Apps never import apps; `single` is the composition root. */
const MAY_IMPORT: Record<string, string[]> = {
  'libs/contracts': [],
  'libs/graph': ['query'],
  'libs/query': [],
  'libs/storage': ['telemetry'],
  'libs/isolation': [],
  'libs/containers': ['graph', 'isolation'],
  'libs/egress': [],
  'libs/telemetry': [],
  'libs/library': ['contracts', 'graph'],
  'libs/client': ['contracts'],
  'libs/mcp': ['client', 'contracts'],
  'libs/persistence': ['contracts', 'telemetry'],
  'libs/messaging': ['contracts', 'persistence', 'telemetry'],
  'libs/service': ['contracts', 'messaging', 'persistence', 'telemetry'],
  'libs/testkit': ['contracts', 'messaging', 'client', 'persistence', 'service'],
  'apps/gateway': ['client', 'contracts', 'mcp', 'messaging', 'service', 'storage', 'telemetry'],
  'apps/auth': ['contracts', 'messaging', 'persistence', 'service', 'storage', 'telemetry'],
  'apps/workflows': ['contracts', 'messaging', 'persistence', 'service', 'graph', 'library', 'storage'],
  'apps/runs': ['contracts', 'messaging', 'persistence', 'service', 'graph', 'storage', 'telemetry'],
  'apps/worker': [
    ...['containers', 'contracts', 'messaging', 'service', 'egress', 'graph', 'isolation', 'storage', 'telemetry'],
  ],
  'apps/datasets': ['contracts', 'messaging', 'persistence', 'query', 'service', 'storage', 'telemetry'],
  'apps/billing': ['contracts', 'messaging', 'persistence', 'service'],
  'apps/notifications': ['contracts', 'messaging', 'persistence', 'service', 'egress', 'telemetry'],
  'apps/cli': ['client', 'contracts', 'graph', 'mcp'],
  'apps/dashboard': ['client', 'contracts', 'graph', 'query'],
};

/** Imports from outside the monorepo that some packages may not have. */
const PURE: Record<string, { regex: string; message: string }> = {
  'libs/contracts': { regex: '^(node:|@nestjs)', message: 'contracts is zod only: it also runs in browsers' },
  'libs/graph': { regex: '^node:', message: 'graph is pure: no I/O, no clock' },
  'libs/query': { regex: '^node:', message: 'query is pure: no I/O, no clock' },
};

function dependencyRule(folder: string, allowed: string[], files: string): OxlintOverride {
  const own = folder.split('/')[1];
  const open = [...allowed, own].flatMap((name) => [`!@millrace/${name}`, `!@millrace/${name}/**`]);
  const patterns = [
    {
      group: ['@millrace/**', ...open],
      message: `${folder} may import only these of our packages: ${allowed.join(', ') || 'nothing'}`,
    },
    // The type check and the build accept such a path; the built service does not start.
    { regex: '^(\\.\\./)+([a-z-]+/)+src/', message: 'import other packages by their name, @millrace/…' },
    ...(folder in PURE ? [PURE[folder]] : []),
  ];
  return { files: [`${folder}/src/${files}`], rules: { 'eslint/no-restricted-imports': ['error', { patterns }] } };
}

/** For files whose types are in JSDoc and in no tsconfig: what they import from npm is any. */
const UNTYPED: OxlintOverride['rules'] = {
  'typescript/no-unnecessary-type-assertion': 'off',
  'typescript/no-unsafe-argument': 'off',
  'typescript/no-unsafe-assignment': 'off',
  'typescript/no-unsafe-call': 'off',
  'typescript/no-unsafe-member-access': 'off',
  'typescript/no-unsafe-return': 'off',
  'typescript/restrict-template-expressions': 'off',
};

const PLUGINS = ['eslint', 'typescript', 'import', 'unicorn', 'oxc'] as const;

/** For components: the rules of React, and those of accessibility that axe cannot check in a browser. */
const DASHBOARD: OxlintOverride['rules'] = {
  'react/exhaustive-deps': 'error',
  'react/jsx-key': 'error',
  'react/jsx-no-duplicate-props': 'error',
  'react/jsx-no-target-blank': 'error',
  'react/jsx-no-undef': 'error',
  'react/no-danger': 'error',
  'react/rules-of-hooks': 'error',
  'react/self-closing-comp': 'error',
  'jsx-a11y/alt-text': 'error',
  'jsx-a11y/anchor-is-valid': 'error',
  'jsx-a11y/aria-props': 'error',
  'jsx-a11y/aria-role': 'error',
  'jsx-a11y/click-events-have-key-events': 'error',
  'jsx-a11y/label-has-associated-control': 'error',
  'jsx-a11y/no-noninteractive-tabindex': 'off',
  'jsx-a11y/role-has-required-aria-props': 'error',
};

/** The files that may read the environment. */
const READS_ENVIRONMENT = [
  '**/env.ts',
  '**/*-env.ts',
  '**/main.ts',
  '**/*.spec.ts',
  'libs/persistence/src/{migrate,create-migration}.ts',
  '{bench,deploy,e2e,scripts}/**',
  'apps/cli/src/testing/cli-host.mjs',
  'apps/dashboard/{*.ts,e2e/**}',
];

/** For the list of the banned words, and for tests that plant them. */
const LISTS_BANNED_WORDS: OxlintOverride['rules'] = {
  'plain-language/names': 'off',
  'plain-language/classes': 'off',
  'plain-language/imports': 'off',
  'plain-language/files': 'off',
  'plain-language/phrases': 'off',
};

export default defineConfig({
  ignorePatterns: [
    '**/dist/**',
    'libs/contracts/src/openapi/examples/*.recorded.ts',
    'libs/{client,persistence}/src/generated/**',
    '.millrace/**',
  ],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  plugins: [...PLUGINS],
  jsPlugins: ['./scripts/lint/plain-language.mjs'],
  categories: { correctness: 'error' },
  rules: {
    'plain-language/names': 'error',
    'plain-language/classes': 'error',
    'plain-language/imports': 'error',
    'plain-language/files': 'error',
    'plain-language/phrases': 'error',
    'eslint/max-lines': ['error', { max: 400 }],
    'eslint/no-array-constructor': 'error',
    'eslint/no-restricted-properties': [
      'error',
      { object: 'process', property: 'env', message: 'one zod schema per app reads the environment: env.ts' },
    ],
    'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/prefer-rest-params': 'error',
    'eslint/prefer-spread': 'error',
    'import/no-cycle': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    // These are off because the code does each of them on purpose: it searches names for control characters, splits
    // texts into code points, allocates arrays of a known length, sorts texts as texts, and spreads a short list into
    // a long one to group entries that belong together.
    'eslint/no-control-regex': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/require-array-sort-compare': 'off',
    'unicorn/no-new-array': 'off',
    'unicorn/no-useless-spread': 'off',
  },
  overrides: [
    { files: READS_ENVIRONMENT, rules: { 'eslint/no-restricted-properties': 'off' } },
    ...Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) => [
      dependencyRule(folder, allowed, '**/*.{ts,tsx}'),
      dependencyRule(folder, [...allowed, 'testkit'], '**/testing/**/*.ts'),
    ]),
    { files: ['apps/dashboard/**/*.tsx'], plugins: [...PLUGINS, 'react', 'jsx-a11y'], rules: DASHBOARD },
    { files: ['**/*.mjs'], rules: UNTYPED },
    { files: ['scripts/lint/{vocabulary,*.spec}.mjs'], rules: LISTS_BANNED_WORDS },
    { files: ['**/*.spec.ts'], rules: { 'eslint/no-restricted-imports': 'off' } },
  ],
});
