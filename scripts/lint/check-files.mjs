import { basename } from 'node:path';

/** Suffix of the exported class, by the suffix of the file name. */
const EXPORTED_CLASS = /** @type {Record<string, string>} */ ({
  controller: 'Controller',
  job: 'Job',
  listener: 'Listener',
  module: 'Module',
  service: 'Service',
});

export const files = {
  meta: { type: 'suggestion', docs: { description: 'A file exports the class that its name promises' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    Program(/** @type {any} */ node) {
      const file = basename(context.filename);
      const exported = node.body
        .filter((/** @type {any} */ { type }) => type === 'ExportNamedDeclaration')
        .map((/** @type {any} */ { declaration }) => declaration);
      const message =
        missingClass(file, exported) ?? (isInApp(context.filename) ? misplacedClass(file, exported) : undefined);
      if (message) context.report({ node, message });
    },
  }),
};

/**
 * @param {string} file
 * @param {any[]} exported
 */
function missingClass(file, exported) {
  const [, stem = '', kind = ''] = /^(.+)\.(controller|job|listener|module|service)\.ts$/.exec(file) ?? [];
  if (!kind) return undefined;
  const expected = `${pascal(stem)}${EXPORTED_CLASS[kind]}`;
  const exportedNames = exported.map((declaration) => declaration?.id?.name).filter(Boolean);
  // A folder may be part of the name: sandbox/exec.controller.ts exports SandboxExecController.
  if (exportedNames.some((name) => name.endsWith(expected))) return undefined;
  return `${file} exports ${exportedNames.join(', ')}, not ${expected}.`;
}

/**
 * @param {string} file
 * @param {any[]} exported
 */
function misplacedClass(file, exported) {
  for (const declaration of exported) {
    if (declaration?.type !== 'ClassDeclaration') continue;
    const { name } = declaration.id;
    const [kind] = Object.entries(EXPORTED_CLASS).find(([, suffix]) => name.endsWith(suffix)) ?? [];
    if (kind && !file.endsWith(`.${kind}.ts`)) return `${file} exports ${name}, which belongs in a .${kind}.ts file.`;
  }
  return undefined;
}

/** In libs a class may end in such a word for another reason: PgListener listens to Postgres. */
const isInApp = (/** @type {string} */ path) => /(?:^|\/)apps\/[^/]+\/src\//.test(path);

/** @param {string} stem */
const pascal = (stem) => stem.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
