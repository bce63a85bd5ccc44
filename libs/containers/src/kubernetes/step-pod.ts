import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import { retry } from '../back-off.js';
import { CONTAINER_PATHS, type ContainerCommand } from '../container-executor.js';
import { FILES_CONTAINER, POD_PATHS, STEP_CONTAINER } from './build-job.js';
import { ConnectionLostError, ExecFailedError, type ExecStreams, type ExecTarget, execInPod } from './exec-session.js';
import { readStepResult } from './read-step-result.js';
import { extractOutputs, packInputs } from './tar-streams.js';
import { writeStartFile } from './write-start-file.js';

const BUSYBOX = `${POD_PATHS.tools}/busybox`;
const START = `${POD_PATHS.run}/command`;

/** Its argument is the size of the start file, which comes before the archive. */
const UPLOAD = `mkdir -p ${CONTAINER_PATHS.output} && head -c "$1" >${START}.new || exit 1
tar --extract --no-same-owner --no-overwrite-dir --touch --directory=${CONTAINER_PATHS.work}`;
/**
 * A request of its own: after a lost connection, tar may take what it got for the whole archive. A second attempt may find what
 * the first one has done.
 */
const BEGIN = `[ -e ${START} ] || mv ${START}.new ${START}`;
/** The group is known a moment after the start. */
const TERMINATE = `cd ${POD_PATHS.run}
until [ -s group ] || [ -e exit ]; do ${BUSYBOX} sleep 0.05; done
read -r group <group && kill -TERM -- "-$group"`;
/** Ends every process of the container but its first one, which reports the end. */
const KILL = 'kill -KILL -1';
const MAX_MESSAGE_BYTES = 4_096;

/** How long Kubernetes may refuse commands in a container. Its end is reported by the pod's status much sooner. */
const REFUSED_TIMEOUT_MS = 60_000;

/** The containers of a step, and what the worker does in them. A lost connection is no failure: every action is repeated. */
export class StepPod {
  constructor(
    private readonly target: Omit<ExecTarget, 'container'>,
    private readonly command: ContainerCommand,
    /** Ends what is under way. */
    private readonly signal: AbortSignal,
  ) {}

  /** Copies `work` and `in`, and then starts the command. */
  async start(): Promise<void> {
    const { folders, limits } = this.command;
    const startFile = Buffer.from(writeStartFile(this.command, limits));
    await this.repeat(async () => {
      const inputs = packInputs(folders);
      try {
        const stdin = Readable.from(concatenate(startFile, inputs));
        await this.require(['sh', '-c', UPLOAD, 'upload', String(startFile.length)], { stdin });
      } finally {
        inputs.destroy();
      }
    });
    await this.repeat(() => this.require(['sh', '-c', BEGIN], {}));
  }

  /** Copies both logs as they grow, until the command has ended. */
  async followLogs(): Promise<void> {
    const { folders, limits } = this.command;
    const [stdout, stderr] = await Promise.all([
      LogFile.open(join(folders.step, 'stdout'), limits.fileBytes),
      LogFile.open(join(folders.step, 'stderr'), limits.fileBytes),
    ]);
    try {
      await this.repeat(async () => {
        const offsets = [stdout.received, stderr.received].map(String);
        const program = ['perl', `${POD_PATHS.tools}/follow-logs.pl`, ...offsets];
        const streams = { stdout: stdout.createStream(), stderr: stderr.createStream() };
        try {
          await this.exec(FILES_CONTAINER, program, streams);
        } finally {
          await Promise.all([stdout.flush(), stderr.flush()]);
        }
      });
    } finally {
      await Promise.all([stdout.close(), stderr.close()]);
    }
  }

  /** Lets `followLogs` end although the command has not reported its end. */
  async endLogs(): Promise<void> {
    await this.repeat(() => this.require(['sh', '-c', `: >>${POD_PATHS.run}/exit`], {}));
  }

  /** Reads how the command ended and, if it succeeded, fetches its outputs. @throws TarLimitError, TarRefusedError */
  async collect(clearOutputs: () => Promise<void>): Promise<CommandExit | null> {
    const { folders, limits } = this.command;
    let attempts = 0;
    return this.repeat(async () => {
      if (attempts++ > 0) await clearOutputs();
      const extraction = extractOutputs(folders.output, { bytes: limits.diskBytes, entries: limits.diskEntries });
      const message = new TextHead();
      const streams = { stdout: extraction.stream, stderr: message };
      // An archive that is refused ends the request.
      const refused = new AbortController();
      extraction.done.catch((error: unknown) => refused.abort(error));
      try {
        const program = ['sh', `${POD_PATHS.tools}/collect-outputs.sh`, CONTAINER_PATHS.output];
        const code = await this.exec(FILES_CONTAINER, program, streams, refused.signal);
        const [line = '', ...errors] = message.text.split('\n');
        const exit = readStepResult(line);
        if (exit?.code !== 0) return exit;
        if (code !== 0) throw new Error(`tar failed in the pod of a step: ${errors.join(' ').trim()}`);
        extraction.stream.end();
        await extraction.done;
        return exit;
      } finally {
        extraction.stream.destroy();
      }
    });
  }

  terminate(): Promise<number> {
    return this.repeat(() => this.exec(STEP_CONTAINER, [BUSYBOX, 'sh', '-c', TERMINATE], {}));
  }

  kill(): Promise<number> {
    return this.repeat(() => this.exec(STEP_CONTAINER, [BUSYBOX, 'sh', '-c', KILL], {}));
  }

  private repeat<T>(action: () => Promise<T>): Promise<T> {
    let refusedAt: number | null = null;
    const isTransient = (error: unknown): boolean => {
      if (error instanceof ConnectionLostError) return true;
      if (!(error instanceof ExecFailedError) || !error.isTransient) return false;
      refusedAt ??= performance.now();
      return performance.now() - refusedAt < REFUSED_TIMEOUT_MS;
    };
    return retry(action, isTransient, this.signal);
  }

  private exec(
    container: string,
    program: readonly string[],
    streams: ExecStreams,
    signal?: AbortSignal,
  ): Promise<number> {
    // Kubernetes refuses a request without any stream.
    const stderr = streams.stderr ?? new TextHead();
    const end = signal ? AbortSignal.any([this.signal, signal]) : this.signal;
    return execInPod({ ...this.target, container }, program, { ...streams, stderr }, end);
  }

  private async require(program: readonly string[], streams: ExecStreams): Promise<void> {
    const stderr = new TextHead();
    const code = await this.exec(FILES_CONTAINER, program, { ...streams, stderr });
    if (code !== 0) throw new Error(`A command in the pod of a step failed with exit code ${code}: ${stderr.text}`);
  }
}

async function* concatenate(first: Buffer, rest: Readable): AsyncIterable<Buffer> {
  yield first;
  yield* rest as AsyncIterable<Buffer>;
}

/** The first few KiB of a stream. */
class TextHead extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text = (this.text + chunk.toString()).slice(0, MAX_MESSAGE_BYTES);
    done();
  }
}

/** A log of the slot, which is at most as long as a file may be. What comes after that is dropped. */
class LogFile {
  /** Bytes that have arrived, whether they were written or not: where to go on after a lost connection. */
  received = 0;
  private stream: Writable | null = null;

  private constructor(
    private readonly file: FileHandle,
    private readonly maxBytes: number,
  ) {}

  static async open(path: string, maxBytes: number): Promise<LogFile> {
    return new LogFile(await open(path, 'w'), maxBytes);
  }

  /** A stream for one connection. */
  createStream(): Writable {
    this.stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const part = chunk.subarray(0, Math.max(0, this.maxBytes - this.received));
        this.received += chunk.length;
        this.file.appendFile(part).then(() => done(), done);
      },
    });
    return this.stream;
  }

  /** Resolves when everything that has arrived is written. */
  async flush(): Promise<void> {
    const { stream } = this;
    if (stream)
      await new Promise<void>((resolve, reject) =>
        stream.end((error?: Error | null) => (error ? reject(error) : resolve())),
      );
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
