import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];

/**
 * Checks the page in its present state with axe: WCAG 2.2 A and AA, and axe's best practices.
 * @param rules names of the only rules to check
 * @throws Error with the rule, the elements and the fix of each violation
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(TAGS)).analyze();
  if (violations.length === 0) return;
  throw new Error([`axe finds violations on ${page.url()}`, ...violations.map(describeViolation)].join('\n\n'));
}

/** @returns the rule, and for each element its selector, its HTML, and what would make it accessible */
function describeViolation({ id, impact, help, helpUrl, nodes }: Violation): string {
  const elements = nodes.map(({ target, html, failureSummary = '' }) =>
    [`  ${target.flat().join(' ')}`, html, ...failureSummary.split('\n')].join('\n    '),
  );
  return [`${id} (${impact ?? 'unknown'}): ${help}`, `  ${helpUrl}`, ...elements].join('\n');
}
