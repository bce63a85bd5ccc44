import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

// Runs commands of the command line for `CliHost`, one at a time. Each command is the built program as a user starts it, except
// that Node.js and its modules are loaded already, which takes most of the processor time of a short command.

/**
 * @typedef {{ args: string[], cwd: string, env: Record<string, string>, input: string }} CommandRequest
 */

const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** Ends a command that calls `process.exit`. */
class ExitError extends Error {
  /** @param {number | string | null | undefined} code */
  constructor(code) {
    super('The command called process.exit.');
    this.code = Number(code ?? 0);
  }
}

class TextSink extends Writable {
  text = '';

  /**
   * @override
   * @param {Buffer} chunk
   * @param {BufferEncoding} _encoding
   * @param {() => void} done
   */
  _write(chunk, _encoding, done) {
    this.text += chunk.toString('latin1');
    done();
  }
}

/** @param {CommandRequest} request */
async function runCommand({ args, cwd, env, input }) {
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
  for (const [name, value] of Object.entries({ stdin, stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true });
  process.env = env;
  process.argv = [process.execPath, PROGRAM, ...args];
  process.exitCode = 0;
  process.chdir(cwd);
  process.exit = (code) => {
    throw new ExitError(code);
  };
  try {
    // The query makes it another module, which runs again. What it imports stays loaded.
    await import(`${PROGRAM}?${randomUUID()}`);
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    process.exitCode = error.code;
  } finally {
    process.removeAllListeners('uncaughtException');
  }
  return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
}

process.on('message', (/** @type {CommandRequest} */ request) => {
  void runCommand(request).then((result) => {
    // Setting it was part of the command, and must not become that of this process.
    process.exitCode = 0;
    process.send?.(result);
  });
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
