import { BANNED_NAME_PARTS, VERBS, WIRE_KEYS } from './vocabulary.mjs';

/** Positions in the syntax tree that declare a name: type of the parent node, and its properties. */
const DECLARED_AS = new Map([
  ['AccessorProperty', ['key']],
  ['ArrayPattern', ['elements']],
  ['ArrowFunctionExpression', ['params']],
  ['AssignmentPattern', ['left']],
  ['CatchClause', ['param']],
  ['ClassDeclaration', ['id']],
  ['ExportSpecifier', ['exported']],
  ['FunctionDeclaration', ['id', 'params']],
  ['FunctionExpression', ['id', 'params']],
  ['ImportSpecifier', ['local']],
  ['MethodDefinition', ['key']],
  ['Property', ['value']],
  ['PropertyDefinition', ['key']],
  ['RestElement', ['argument']],
  ['TSAbstractMethodDefinition', ['key']],
  ['TSAbstractPropertyDefinition', ['key']],
  ['TSEnumDeclaration', ['id']],
  ['TSEnumMember', ['id']],
  ['TSInterfaceDeclaration', ['id']],
  ['TSMethodSignature', ['key']],
  ['TSParameterProperty', ['parameter']],
  ['TSPropertySignature', ['key']],
  ['TSTypeAliasDeclaration', ['id']],
  ['VariableDeclarator', ['id']],
]);

/** A class with one of these suffixes may begin with the verb of its operation: `SendMailJob`. */
const AFTER_VERB = /(?:Controller|Error|Job|Listener|Module|Service)$/;

/** @param {string} name */
const partsOf = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];

/** @param {any} node */
function isDeclared(node) {
  const { parent } = node;
  if (!parent || parent.computed) return false;
  // A pattern `{ a: b }` declares b. An object literal `{ a: b }` declares a, unless another process chose that name.
  if (parent.type === 'Property' && parent.parent.type === 'ObjectExpression')
    return parent.key === node && !parent.shorthand && !WIRE_KEYS.has(node.name);
  // `import { a }` and `export { a }` give no name of their own.
  if (parent.type === 'ImportSpecifier' && parent.imported.name === parent.local.name) return false;
  if (parent.type === 'ExportSpecifier' && parent.local.name === parent.exported.name) return false;
  return (DECLARED_AS.get(parent.type) ?? []).some((property) => [parent[property]].flat().includes(node));
}

export const names = {
  meta: { type: 'suggestion', docs: { description: 'Names use the words of docs/glossary.md' }, schema: [] },
  create: (/** @type {any} */ context) => {
    const check = (/** @type {any} */ node) => {
      for (const part of partsOf(node.name)) {
        const instead = BANNED_NAME_PARTS.get(part.toLowerCase());
        if (!instead || !isDeclared(node)) continue;
        context.report({ node, message: `"${node.name}": instead of "${part}" write ${instead}.` });
      }
    };
    return { Identifier: check, PrivateIdentifier: check };
  },
};

export const classes = {
  meta: { type: 'suggestion', docs: { description: 'Classes are nouns, and errors end in Error' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    ClassDeclaration(/** @type {any} */ { id, superClass }) {
      if (!id) return;
      const parent = superClass?.name ?? '';
      if (parent.endsWith('Error') && !id.name.endsWith('Error'))
        context.report({ node: id, message: `"${id.name}" extends ${parent}, so its name ends in "Error".` });
      const [first = '', ...rest] = partsOf(id.name);
      if (VERBS.has(first) && rest.length > 0 && !AFTER_VERB.test(id.name))
        context.report({
          node: id,
          message: `"${id.name}" begins with the verb "${first}": name a class with a noun.`,
        });
    },
  }),
};

export const imports = {
  meta: { type: 'suggestion', docs: { description: 'Contract constants keep their names' }, schema: [] },
  create: (/** @type {any} */ context) => ({
    ImportDeclaration(/** @type {any} */ { source, specifiers }) {
      if (!source.value.startsWith('@millrace/contracts/')) return;
      for (const { imported, local } of specifiers) {
        if (!imported || imported.name === local.name || partsOf(imported.name)[0] !== local.name) continue;
        const message = `"${imported.name}" as "${local.name}": keep the contract's name, and rename the local function.`;
        context.report({ node: local, message });
      }
    },
  }),
};
