import { basename } from 'node:path';
import { BANNED_NAME_PARTS, BANNED_PHRASES } from './vocabulary.mjs';

/** Suffix of the exported class, by the suffix of the file name. */
const EXPORTED_CLASS = { service: 'Service', job: 'Job', controller: 'Controller', module: 'Module' };

/** Positions in the syntax tree that declare a name: type of the parent node, and its property. */
const DECLARED_AS = new Map([
  ['ClassDeclaration', 'id'],
  ['FunctionDeclaration', 'id'],
  ['MethodDefinition', 'key'],
  ['PropertyDefinition', 'key'],
  ['TSInterfaceDeclaration', 'id'],
  ['TSPropertySignature', 'key'],
  ['TSTypeAliasDeclaration', 'id'],
  ['VariableDeclarator', 'id'],
]);

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

/** @param {string} name */
const partsOf = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];

/** @param {any} node */
function isDeclared({ parent, ...node }) {
  if (!parent) return false;
  if (FUNCTIONS.includes(parent.type) && parent.params.some((/** @type {any} */ param) => param.start === node.start))
    return true;
  const property = DECLARED_AS.get(parent.type);
  return property !== undefined && parent[property]?.start === node.start && !parent.computed;
}

const names = {
  meta: { type: 'suggestion', docs: { description: 'Names use the words of docs/glossary.md' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    Identifier(/** @type {any} */ node) {
      if (!isDeclared(node)) return;
      for (const part of partsOf(node.name)) {
        const instead = BANNED_NAME_PARTS.get(part.toLowerCase());
        if (instead) context.report({ node, message: `"${node.name}": instead of "${part}" write ${instead}.` });
      }
    },
  }),
};

const errors = {
  meta: { type: 'suggestion', docs: { description: 'Classes of errors end in Error' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    ClassDeclaration(/** @type {any} */ node) {
      const parent = node.superClass?.name ?? '';
      if (!parent.endsWith('Error') || node.id.name.endsWith('Error')) return;
      context.report({ node: node.id, message: `"${node.id.name}" extends ${parent}, so its name ends in "Error".` });
    },
  }),
};

const files = {
  meta: { type: 'suggestion', docs: { description: 'A file exports the class that its name promises' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    Program(/** @type {any} */ node) {
      const [, stem = '', kind = ''] =
        /^(.+)\.(service|job|controller|module)\.ts$/.exec(basename(context.filename)) ?? [];
      if (!kind) return;
      const expected = `${pascal(stem)}${/** @type {Record<string, string>} */ (EXPORTED_CLASS)[kind]}`;
      const exported = node.body
        .filter((/** @type {any} */ statement) => statement.type === 'ExportNamedDeclaration')
        .map((/** @type {any} */ statement) => statement.declaration?.id?.name);
      // A folder may be part of the name: sandbox/exec.controller.ts exports SandboxExecController.
      if (exported.some((/** @type {string | undefined} */ name) => name?.endsWith(expected))) return;
      context.report({
        node,
        message: `${basename(context.filename)} exports ${exported.join(', ')}, not ${expected}.`,
      });
    },
  }),
};

/** @param {string} stem */
const pascal = (stem) => stem.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

const phrases = {
  meta: { type: 'suggestion', docs: { description: 'Comments and texts are plain English' }, schema: [] },
  create: (/** @type {any} */ context) => {
    const check = (/** @type {any} */ node, /** @type {string} */ text) => {
      for (const [pattern, instead] of BANNED_PHRASES) {
        const [found] = /** @type {RegExp} */ (pattern).exec(text) ?? [];
        if (found) context.report({ node, message: `Instead of "${found}" write ${instead}.` });
      }
    };
    return {
      Program: () => {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value);
      },
      Literal: (/** @type {any} */ node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (/** @type {any} */ node) => check(node, node.value.raw),
    };
  },
};

/** Rules of the project's language, for oxlint: an ESLint plugin. */
export default {
  meta: { name: 'plain-language' },
  rules: { names, errors, files, phrases },
};
