/** A file to upload. */
export interface UploadItem {
  /** Where it is stored. */
  path: string;
  content: Blob;
}

export type UploadStatus = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';

export interface Upload {
  readonly id: number;
  readonly path: string;
  readonly size: number;
  status: UploadStatus;
  /** Bytes that were sent. */
  loaded: number;
  error?: unknown;
}

/** Sends a file. Rejects if it fails, or if the signal is aborted. */
export type SendFile = (item: UploadItem, signal: AbortSignal, onLoaded: (bytes: number) => void) => Promise<unknown>;

interface Entry extends Upload {
  content: Blob;
  controller?: AbortController;
}

/** A browser opens six connections to a server, and pages need some of them. */
const MAX_CONCURRENT = 3;

/** Uploads files, several at a time. A failed or cancelled one can be sent again. */
export class UploadQueue {
  private readonly entries = new Map<number, Entry>();
  private readonly waiting = new Set<number>();
  private active = 0;
  private nextId = 1;

  /**
   * @param send sends one file
   * @param onChange is called after each change, also of the sent bytes
   */
  constructor(
    private readonly send: SendFile,
    private readonly onChange: () => void,
  ) {}

  get uploads(): Upload[] {
    return [...this.entries.values()];
  }

  add(items: readonly UploadItem[]): void {
    for (const { path, content } of items) {
      const id = this.nextId++;
      this.entries.set(id, { id, path, size: content.size, content, status: 'waiting', loaded: 0 });
      this.waiting.add(id);
    }
    this.startNext();
  }

  cancel(id: number): void {
    const entry = this.entries.get(id);
    if (entry?.status !== 'waiting' && entry?.status !== 'sending') return;
    entry.status = 'cancelled';
    this.waiting.delete(id);
    entry.controller?.abort();
    this.onChange();
  }

  cancelAll(): void {
    for (const id of this.entries.keys()) this.cancel(id);
  }

  /** Sends a failed or cancelled file again. */
  retry(id: number): void {
    const entry = this.entries.get(id);
    if (entry?.status !== 'failed' && entry?.status !== 'cancelled') return;
    entry.status = 'waiting';
    entry.loaded = 0;
    delete entry.error;
    this.waiting.add(id);
    this.startNext();
  }

  retryFailed(): void {
    for (const { id, status } of this.uploads) if (status === 'failed') this.retry(id);
  }

  /** Forgets all uploads that have ended. */
  clear(): void {
    for (const { id, status } of this.uploads)
      if (status !== 'waiting' && status !== 'sending') this.entries.delete(id);
    this.onChange();
  }

  private startNext(): void {
    for (const id of this.waiting) {
      if (this.active >= MAX_CONCURRENT) break;
      this.waiting.delete(id);
      const entry = this.entries.get(id);
      if (entry) void this.run(entry);
    }
    this.onChange();
  }

  private async run(entry: Entry): Promise<void> {
    const controller = new AbortController();
    entry.controller = controller;
    entry.status = 'sending';
    this.active += 1;
    try {
      await this.send(entry, controller.signal, (bytes) => {
        // The request has more bytes than the file.
        entry.loaded = Math.min(bytes, entry.size);
        this.onChange();
      });
      // The last bytes may be sent before a cancellation arrives. Then the server has the file.
      entry.status = 'done';
      entry.loaded = entry.size;
    } catch (error) {
      if (!controller.signal.aborted) Object.assign(entry, { status: 'failed', error });
    }
    if (entry.controller === controller) delete entry.controller;
    this.active -= 1;
    this.startNext();
  }
}
