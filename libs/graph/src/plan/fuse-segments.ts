import { type Draft } from './expansion.js';
import { type Scope, type Segment, type Step } from './plan.js';

type Need = Segment['needs'][number];

/**
 * Puts chains of steps into segments: B follows A where A is all that B waits for, B is all that waits for A, both are
 * in the same scope, and there is no split or gather between them. Gives the steps with their segment, the segments in
 * topological order, and what each waits for.
 */
export function fuseSegments(drafts: Draft[], scopes: Scope[]): { steps: Step[]; segments: Segment[] } {
  const needs = drafts.map((draft) => stepNeeds(draft, drafts));
  const consumers = countConsumers(needs);
  const segmentOf: number[] = [];
  const segments: Segment[] = [];
  for (const draft of drafts) {
    const before = predecessor(draft, needs, consumers, drafts);
    const joined = before === null ? undefined : segments[segmentOf[before] ?? -1];
    if (joined === undefined)
      segments.push({ index: segments.length, steps: [draft.index], scope: draft.scope, needs: [] });
    else joined.steps.push(draft.index);
    segmentOf[draft.index] = (joined ?? segments.at(-1))?.index ?? 0;
  }
  for (const segment of segments) segment.needs = segmentNeeds(segment, needs, segmentOf, scopes);
  return { steps: drafts.map((draft) => withSegment(draft, segmentOf[draft.index] ?? 0)), segments };
}

/** Steps that must end before this one, and whether the same child of them is enough. */
function stepNeeds(draft: Draft, drafts: Draft[]): Map<number, Need['how']> {
  const needs = new Map<number, Need['how']>();
  for (const { binding } of draft.inputs) {
    if (binding.from !== 'step') continue;
    const sameChild = draft.scope !== null && drafts[binding.step]?.scope === draft.scope && !binding.gather;
    if (!sameChild) needs.set(binding.step, 'all');
    else if (!needs.has(binding.step)) needs.set(binding.step, 'each');
  }
  return needs;
}

function countConsumers(needs: Map<number, Need['how']>[]): number[] {
  const consumers = needs.map(() => 0);
  for (const needed of needs) for (const step of needed.keys()) consumers[step] = (consumers[step] ?? 0) + 1;
  return consumers;
}

function predecessor(
  draft: Draft,
  needs: Map<number, Need['how']>[],
  consumers: number[],
  drafts: Draft[],
): number | null {
  const [only, ...others] = needs[draft.index] ?? [];
  if (only === undefined || others.length > 0) return null;
  const [step, how] = only;
  const before = drafts[step];
  if (before === undefined || before.scope !== draft.scope || consumers[step] !== 1) return null;
  if (before.program.kind === 'split' || draft.program.kind === 'split') return null;
  return draft.scope === null || how === 'each' ? step : null;
}

/** Only the first step of a segment waits for others; in a scope there is the split to wait for as well. */
function segmentNeeds(
  segment: Segment,
  needs: Map<number, Need['how']>[],
  segmentOf: number[],
  scopes: Scope[],
): Need[] {
  const waits = new Map<number, Need['how']>();
  if (segment.scope !== null) waits.set(segmentOf[scopes[segment.scope]?.split ?? -1] ?? 0, 'all');
  for (const [step, how] of needs[segment.steps[0] ?? -1] ?? []) {
    waits.set(segmentOf[step] ?? 0, how);
  }
  return [...waits].sort(([a], [b]) => a - b).map(([index, how]) => ({ segment: index, how }));
}

function withSegment(draft: Draft, segment: number): Step {
  const { scope, retries, timeoutSeconds, cache, network, size, ...first } = draft;
  return { ...first, segment, scope, retries, timeoutSeconds, cache, network, size };
}
