import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readDocs } from '@millrace/mcp/docs/docs-pages';
import { serveUntilClosed } from '@millrace/mcp/stdio/serve-stdio';
import { findAccount } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { describeFailure } from '../describe-failure.js';

/** Beside the bundled command line. */
const DOCS = fileURLToPath(new URL('docs', import.meta.url));

export function addMcp(program: Command, { env }: CliContext): void {
  program
    .command('mcp')
    .description('serve MCP over standard input and output, for AI assistants')
    .addHelpText('after', '\nExample:\n  millrace mcp --profile work')
    .action(async () => {
      const { open } = await findAccount(env);
      // Standard output has nothing but the protocol.
      const onDefect = (error: unknown) => void process.stderr.write(`${describeFailure(error)}\n`);
      const explain = (error: unknown) => (error instanceof CliError ? error.message : null);
      await serveUntilClosed({ openClient: open, docs: readDocs(DOCS), onDefect, explain });
    });
}
