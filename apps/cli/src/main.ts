import { EXIT } from './cli-context.js';
import { runCli } from './cli.js';
import { describeFailure } from './describe-failure.js';
import { isTraced } from './env.js';

// If the reader of a pipe has exited, as in `millrace runs | head`, the command ends without a message.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
process.on('uncaughtException', (error) => {
  process.stderr.write(`${describeFailure(error, isTraced(process.env))}\n`);
  process.exit(EXIT.usage);
});

process.exitCode = await runCli(process.argv, process.env);
