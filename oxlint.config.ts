// The house rules that a linter can hold. Warnings do not exist here: a rule is an error or it is not worth having.
import { defineConfig } from 'oxlint'
import { exceptions, forbidden, rows, testsMay } from '#scripts/house/import-rules.ts'

type Override = NonNullable<Parameters<typeof defineConfig>[0]['overrides']>[number]

const restrict = (files: string[], patterns: ReturnType<typeof forbidden>): Override => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

/** Kysely's methods that begin a statement. */
const statements = [
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
  'withRecursive',
]
const sqlInStores =
  'SQL stands in `store.ts` or `*-store.ts` of its concept in server/domain, in server/db and in tests.'
const sqlTag = { regex: '^kysely$', importNames: ['sql'], message: sqlInStores }
/** Folders beside the stores that hold SQL. */
const mayHoldSql = ['server/db', 'server/testing', 'contract', 'src', 'e2e', 'integrations', 'scripts']
const stores = ['store.ts', '*-store.ts']

// An override replaces a rule's options, it does not merge them: each one is complete, and the last one wins.
const imports = [
  ...rows().flatMap((layer) => {
    const { folder } = layer
    const tests = testsMay[folder.split('/')[0] ?? ''] ?? []
    const hasStores = folder.startsWith('server/domain')
    const sql = mayHoldSql.some((one) => folder.startsWith(one)) ? [] : [sqlTag]
    // A file in a folder below its layer has no other way to its own layer than by #.
    return [
      restrict([`${folder}/**`], [...forbidden(layer, [folder]), ...sql]),
      restrict([`${folder}/*`], [...forbidden(layer), ...sql]),
      ...(hasStores
        ? [
            restrict(
              stores.map((file) => `${folder}/*/**/${file}`),
              forbidden(layer, [folder]),
            ),
            restrict(
              stores.map((file) => `${folder}/${file}`),
              forbidden(layer),
            ),
          ]
        : []),
      restrict([`${folder}/**/*.test.{ts,tsx}`], forbidden(layer, [folder, ...tests])),
    ]
  }),
  ...exceptions.map(({ folder, may }) => {
    const layer = rows().findLast((row) => folder === row.folder || folder.startsWith(`${row.folder}/`))
    return restrict([`${folder}/**`], layer ? forbidden(layer, [folder, ...may]) : [])
  }),
]

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'vitest'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error', denyWarnings: true },
  env: { builtin: true },
  ignorePatterns: ['node_modules', 'dist', 'data', '.cache', 'public'],
  rules: {
    // Names and sizes.
    'unicorn/filename-case': ['error', { case: 'kebabCase', ignore: [String.raw`^\d{4}-`] }],
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 5 }],
    complexity: ['error', { max: 20 }],

    // Imports.
    'import/no-cycle': 'error',
    'import/no-duplicates': 'error',
    'import/no-self-import': 'error',
    'import/no-mutable-exports': 'error',
    'typescript/consistent-type-imports': [
      'error',
      { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
    ],
    'no-restricted-imports': ['error', { patterns: forbidden({ folder: 'The top level', may: ['scripts/house'] }) }],

    'no-restricted-properties': ['error', ...statements.map((property) => ({ property, message: sqlInStores }))],

    // Types say the truth.
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/ban-ts-comment': [
      'error',
      { 'ts-expect-error': 'allow-with-description', minimumDescriptionLength: 10 },
    ],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'unicorn/no-abusive-eslint-disable': 'error',

    // Promises are awaited, or thrown away in plain sight with `void`.
    'typescript/no-floating-promises': ['error', { ignoreVoid: true }],
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/await-thenable': 'error',
    // Our objects are closures, not classes: taking a function off one is safe.
    'typescript/unbound-method': 'off',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],

    // Plain code.
    eqeqeq: 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-else-return': 'error',
    'no-param-reassign': 'error',
    'no-shadow': 'error',
    'no-alert': 'error',
    'no-eval': 'error',
    'no-implied-eval': 'error',
    'no-new-func': 'error',
    'no-script-url': 'error',
    'no-throw-literal': 'error',
    'no-useless-return': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' }],
    'no-warning-comments': ['error', { terms: ['fixme', 'xxx', 'hack'] }],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/throw-new-error': 'error',
    'unicorn/no-document-cookie': 'error',
    'react/exhaustive-deps': 'error',
    'react/rules-of-hooks': 'error',
    'react/jsx-key': 'error',
    'react/no-danger': 'error',
    'react/no-array-index-key': 'error',
    'react/button-has-type': 'error',
    'react/jsx-no-target-blank': 'error',
    'react/self-closing-comp': 'error',
    'react/react-in-jsx-scope': 'off',
    'import/no-default-export': 'error',
    // Which elements may have which role is what axe checks in a real browser.
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-element-to-interactive-role': 'off',
    'jsx-a11y/label-has-associated-control': ['error', { controlComponents: ['Checkbox', 'Radio'] }],
    'promise/no-callback-in-promise': 'off',
    // It takes `z.catch` for a promise's; the types know better.
    'promise/valid-params': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/no-conditional-expect': 'off',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
  },
  overrides: [
    // Tools and `lazy()` want a default export; scripts talk to a terminal.
    { files: ['*.config.{ts,mjs}', '**/*.d.ts', 'src/**/*.tsx'], rules: { 'import/no-default-export': 'off' } },
    { files: ['scripts/**'], rules: { 'no-console': 'off' } },
    // Companion loads the class that is the default export.
    { files: ['integrations/companion/main.ts'], rules: { 'import/no-default-export': 'off' } },
    // No React in there, and `use` is a method's name.
    { files: ['src/session/**'], rules: { 'react/rules-of-hooks': 'off' } },
    // Fixtures of tests: `use` is Vitest's, and environments are default exports.
    {
      files: ['src/testing/**', 'src/**/*.test.tsx'],
      rules: { 'react/rules-of-hooks': 'off', 'import/no-default-export': 'off' },
    },
    // The types of jest-dom's matchers hide the promise of `expect.poll`; Vitest itself fails a poll that is not awaited.
    { files: ['src/**/*.test.tsx'], rules: { 'typescript/await-thenable': 'off' } },
    // A list, one line per operation that waits.
    { files: ['contract/not-served.ts'], rules: { 'max-lines': 'off' } },
    // One line and one type per operation.
    { files: ['integrations/client/*.gen.ts'], rules: { 'max-lines': 'off' } },
    // One text of SQL.
    { files: ['server/db/migrations/0001-base.ts'], rules: { 'max-lines': 'off' } },
    { files: ['**/*.test.{ts,tsx}', 'e2e/**'], rules: { 'typescript/no-non-null-assertion': 'off' } },
    {
      files: ['e2e/**'],
      rules: { 'no-console': 'off', 'react/rules-of-hooks': 'off', 'vitest/no-disabled-tests': 'off' },
    },
    {
      files: [
        ...stores.map((file) => `server/domain/**/${file}`),
        ...mayHoldSql.map((folder) => `${folder}/**`),
        '**/*.test.{ts,tsx}',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    ...imports,
  ],
})
