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
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.flatMap((link) => {
    const problem = /^[a-z]+:/.test(link) ? undefined : problemOf(root, page, link);
    return problem ? [`${page}: the link to ${link} leads nowhere: ${problem}`] : [];
  });
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
