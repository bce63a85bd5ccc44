import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import GithubSlugger from 'github-slugger';

/**
 * Finds a page's links to files and headings that do not exist. Links to other sites are not checked.
 * @param {string} root
 * @param {string} page path below the root
 * @returns {string[]} one line for each
 */
export function findDeadLinks(root, page) {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'));
  return linksOf(text).flatMap((link) => {
    const problem = /^[a-z]+:/.test(link) ? undefined : problemOf(root, page, link);
    return problem ? [`${page}: the link to ${link} leads nowhere: ${problem}`] : [];
  });
}

const LINKS = [
  // [text](target), [text](target "title") and [text](<target>)
  /\]\(\s*<?([^)\s>]+)>?(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g,
  // [reference]: target "title"
  /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm,
  // <a href="target">, <img src="target">
  /<(?:a|img)\b[^>]*?\s(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
];

/** @param {string} text */
function linksOf(text) {
  const prose = text.replaceAll(/(`+)[^`\n]+\1/g, '');
  return LINKS.flatMap((pattern) => [...prose.matchAll(pattern)].map(([, target = '']) => target));
}

/**
 * @param {string} root
 * @param {string} page
 * @param {string} link
 */
function problemOf(root, page, link) {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(target)) return 'no such file';
  if (anchor === undefined || statSync(target).isDirectory()) return undefined;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? undefined : 'no such heading';
}

/**
 * The anchors of a page's headings, as GitHub makes them.
 * @param {string} page
 */
function anchorsOf(page) {
  const slugger = new GithubSlugger();
  const headings = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(headings.map((heading) => slugger.slug(heading.replaceAll(/[`*]|\[(.+?)\]\(.+?\)/g, '$1'))));
}

/** @param {string} page */
const withoutCode = (page) => page.replaceAll(/^( *)```[^]*?^\1```$/gm, '');
