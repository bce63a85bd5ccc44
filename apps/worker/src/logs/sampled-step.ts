import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { completeLogSize } from '@millrace/contracts/runs/log-gap';
import { type SampledLogs } from '@millrace/contracts/runs/log-samples';
import { OffsetTranslator } from '../masking/offset-translator.js';
import { LogSamples, SAMPLE_INTERVAL_MS } from './log-samples.js';
import { type StoredLog } from './store-log.js';

const STREAMS = ['stdout', 'stderr'] as const;
type Stream = (typeof STREAMS)[number];

/** The timer may find a step that has just begun. */
const MIN_ELAPSED_MS = 100;

/** When a running step has written its logs. A step that is shorter than one interval costs nothing. */
export class SampledStep {
  private readonly beganAt = performance.now();
  private readonly samples: Partial<Record<Stream, LogSamples>> = {};
  private readonly translators: Partial<Record<Stream, OffsetTranslator>> = {};

  private isStopped = false;

  /** @param folder of the files `stdout` and `stderr` @param stopTimer called when the command has ended */
  constructor(
    private readonly folder: string,
    private readonly stopTimer: (step: SampledStep) => void,
  ) {}

  /** Records the size of both logs, unless the step may be over in a moment. */
  sample(): void {
    if (this.elapsedMs >= MIN_ELAPSED_MS) this.record();
  }

  samplesOf(stream: Stream): LogSamples | null {
    return this.samples[stream] ?? null;
  }

  /** Takes the last sample, when the command has ended. Its files may be those of another step afterwards. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.stopTimer(this);
    if (this.elapsedMs >= SAMPLE_INTERVAL_MS || this.samples.stdout || this.samples.stderr) this.record();
  }

  private get elapsedMs(): number {
    return Math.round(performance.now() - this.beganAt);
  }

  /** A command can replace its log by anything; then it has no further samples. */
  private record(): void {
    const { elapsedMs } = this;
    for (const stream of STREAMS) {
      const size = sizeOf(join(this.folder, stream));
      if (size !== null) (this.samples[stream] ??= new LogSamples()).add(size, elapsedMs);
    }
  }

  /** Translates the samples while the log is masked; null if there are none. */
  translatorOf(stream: Stream): OffsetTranslator | null {
    const samples = this.samples[stream];
    return samples ? (this.translators[stream] = new OffsetTranslator(samples.sizes)) : null;
  }

  /** The samples of the stored logs, by their offsets. */
  describe(logs: Record<Stream, StoredLog | null>): { sampledLogs?: SampledLogs } {
    const sampled: SampledLogs = {};
    for (const stream of STREAMS) {
      const log = logs[stream];
      const samples = log && this.samples[stream]?.list(this.translateBy(stream, completeLogSize(log)));
      if (samples && samples.length > 0) sampled[stream] = samples;
    }
    return Object.keys(sampled).length > 0 ? { sampledLogs: sampled } : {};
  }

  /** The end of an interrupted log may be left out. A log without a secret value is not masked. */
  private translateBy(stream: Stream, end: number): (offset: number) => number {
    const translator = this.translators[stream];
    const isMasked = translator !== undefined && translator.position > 0;
    return (offset) => Math.min(end, isMasked ? (translator.find(offset) ?? end) : offset);
  }
}

/** Null if it is not a regular file. */
function sizeOf(path: string): number | null {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    return entry?.isFile() ? entry.size : null;
  } catch {
    return null;
  }
}

/** Samples the logs of all running steps of a worker, by one timer. */
export class LogSampler {
  private readonly steps = new Set<SampledStep>();
  private timer: NodeJS.Timeout | undefined;

  begin(folder: string): SampledStep {
    const step = new SampledStep(folder, (ended) => this.steps.delete(ended));
    this.steps.add(step);
    this.timer ??= setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref();
    return step;
  }

  /** The timer ends when it finds no step, so that short steps do not start one each. */
  private sample(): void {
    for (const step of this.steps) step.sample();
    if (this.steps.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
