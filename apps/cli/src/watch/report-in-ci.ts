import type { MillraceClient } from '@millrace/client';
import { toLine } from '../to-line.js';

/** Prints the reasons of a failed run: as annotations in GitHub Actions, otherwise as lines. */
export async function reportInCi(client: MillraceClient, run: string, isGitHub: boolean): Promise<void> {
  const { results } = await client.failures.list(run, { page_size: 10 });
  for (const { node, reason, count } of results) {
    const text = `${node}: ${count > 1 ? `${count} failed: ` : ''}${reason}`;
    process.stderr.write(
      isGitHub ? `::error title=Run ${run} failed::${escapeAnnotation(text)}\n` : `Error: ${toLine(text)}\n`,
    );
  }
}

/** Escapes the text of a workflow command of GitHub Actions. */
export const escapeAnnotation = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
