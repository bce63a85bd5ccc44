import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT } from '../cli-context.js';
import { CliError } from '../cli-error.js';

/** Prompts for lines at the terminal, or reads them from a pipe. Does not show secrets. */
export class Prompt {
  private readonly lines: AsyncIterator<string>;
  private readonly reader: Interface;
  private hidden = false;

  constructor(
    input: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
    private readonly screen: NodeJS.WritableStream = process.stderr,
  ) {
    const echo = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (!this.hidden) screen.write(chunk);
        done();
      },
    });
    this.reader = createInterface({ input, output: echo, terminal: input.isTTY === true });
    this.lines = this.reader[Symbol.asyncIterator]();
    this.reader.on('SIGINT', () => {
      screen.write('\n');
      process.exit(EXIT.interrupted);
    });
  }

  async readLine(question: string, options: { secret?: boolean } = {}): Promise<string> {
    this.screen.write(question);
    this.hidden = options.secret === true;
    const line = await this.lines.next();
    if (this.hidden) this.screen.write('\n');
    this.hidden = false;
    if (line.done) throw new CliError(`The input ended before a line for "${question.trim()}".`);
    return line.value;
  }

  close(): void {
    this.reader.close();
  }
}
