import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { splitResult } from '@millrace/contracts/runs/report';
import type { Scope } from '@millrace/graph/plan/plan';
import { rangeAt, RANGE_BYTES } from '@millrace/graph/run/range-list';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import { type ObjectStore, ObjectMissingError } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../object-store.js';

export type SplitResult = z.output<typeof splitResult>;

/** Items of this size are read into memory. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024;
/** The index of a million items. */
const MAX_ITEMS = 1_000_000;
/** Keys that are kept for the next page: about 30 MB. */
const MAX_CACHED_KEYS = 400_000;
/** A longer line is hashed. */
const MAX_LINE_BYTES = 48;

/** Keys of the children of splits by what they work on. Splits are stored under their hashes, so keys never change. */
@Injectable()
export class ItemKeys {
  private readonly cache = new LRUCache<string, string[]>({
    maxSize: MAX_CACHED_KEYS,
    sizeCalculation: (keys) => keys.length + 1,
  });

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /**
   * Returns a key for each child: its line, or the hash of the content of its file. Children with equal items are numbered,
   * so keys are unique.
   * @returns null if the items are batches, too large, or no longer stored
   */
  async read(split: SplitResult, mode: Scope['mode']): Promise<string[] | null> {
    if (mode === 'batch' || split.count > MAX_ITEMS) return null;
    if (split.count === 0) return [];
    const id = `${mode} ${split.items} ${split.index}`;
    const cached = this.cache.get(id);
    if (cached) return cached;
    try {
      const keys = await this.readItems(split, mode);
      if (keys) this.cache.set(id, keys);
      return keys;
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }

  private async readItems({ items, index, count }: SplitResult, mode: Scope['mode']): Promise<string[] | null> {
    const ranges = await this.store.readAll(index);
    if (ranges.byteLength < count * RANGE_BYTES) return null;
    const last = rangeAt(ranges, count - 1);
    if (last.offset + last.length > MAX_ITEM_BYTES) return null;
    const bytes = await this.store.readAll(items);
    const keys: string[] = [];
    const copies = new Map<string, number>();
    const slice = new TimeSlice();
    for (let n = 0; n < count; n += 1) {
      if (slice.isOver) await slice.yieldToEventLoop();
      const { offset, length } = rangeAt(ranges, n);
      const item = bytes.subarray(offset, offset + length);
      const content = mode === 'file' ? contentOf(item) : lineOf(item);
      const copy = (copies.get(content) ?? 0) + 1;
      copies.set(content, copy);
      keys.push(`${copy} ${content}`);
    }
    return keys;
  }
}

/** Hashing takes several times as long as copying. A text in Postgres has no zero byte. */
function lineOf(line: Buffer): string {
  const text = line.length <= MAX_LINE_BYTES ? line.toString('latin1') : '\0';
  return text.includes('\0') || text.includes('\n') ? `sha256 ${hash('sha256', line, 'base64url')}` : `line ${text}`;
}

/** The items of a split by file are the references of its files, one per line. */
const contentOf = (line: Buffer): string => (JSON.parse(line.toString()) as { sha256: string }).sha256;
