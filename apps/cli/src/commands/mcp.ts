import type { Command } from 'commander';
import { readDocs } from '@millrace/mcp/docs/docs-pages';
import { serveUntilClosed } from '@millrace/mcp/stdio/serve-stdio';
import { findAccount } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { describeFailure } from '../describe-failure.js';

export function addMcp(program: Command, { env }: CliContext): void {
  program
    .command('mcp')
    .description('serve the MCP (Model Context Protocol) over standard input and output, for AI assistants')
    .action(async () => {
      const { open } = await findAccount(env, program.opts());
      // Standard output has nothing but the protocol.
      const onDefect = (error: unknown) => void process.stderr.write(`${describeFailure(error)}\n`);
      const explain = (error: unknown) => (error instanceof CliError ? error.message : null);
      await serveUntilClosed({ openClient: open, docs: readDocs(), onDefect, explain });
    });
}
