import { files } from './check-files.mjs';
import { classes, imports, names } from './check-names.mjs';
import { matchPhrases } from './match-phrases.mjs';

const phrases = {
  meta: { type: 'suggestion', docs: { description: 'Comments and texts are plain English' }, schema: [] },
  create: (/** @type {any} */ context) => {
    const check = (/** @type {any} */ node, /** @type {string} */ text) => {
      for (const { message } of matchPhrases(text))
        context.report({ node, message: `${message[0]?.toUpperCase()}${message.slice(1)}.` });
    };
    return {
      Program: () => {
        for (const { node, text } of paragraphsOf(context.sourceCode.getAllComments())) check(node, text);
      },
      Literal: (/** @type {any} */ node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (/** @type {any} */ node) => check(node, node.value.raw),
    };
  },
};

/**
 * Joins the line comments of successive lines, so that a phrase is found across them.
 * @param {any[]} comments
 */
function paragraphsOf(comments) {
  /** @type {{ node: any, text: string, last: any }[]} */
  const paragraphs = [];
  for (const comment of comments) {
    const paragraph = paragraphs.at(-1);
    if (paragraph && isContinued(paragraph.last, comment)) {
      paragraph.text += `\n${comment.value}`;
      paragraph.last = comment;
    } else paragraphs.push({ node: comment, text: comment.value, last: comment });
  }
  return paragraphs;
}

/**
 * @param {any} last
 * @param {any} next
 */
const isContinued = (last, next) =>
  last.type === 'Line' &&
  next.type === 'Line' &&
  next.loc.start.line === last.loc.start.line + 1 &&
  next.loc.start.column === last.loc.start.column;

/** Rules of the project's language, for oxlint: an ESLint plugin. */
export default {
  meta: { name: 'plain-language' },
  rules: { names, classes, imports, files, phrases },
};
