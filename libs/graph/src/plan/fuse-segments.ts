import { type StepDraft } from './expansion.js';
import { type Scope, type Segment, type Step } from './plan.js';

type Need = Segment['needs'][number];

/**
 * Fuses chains of steps into segments. B joins the segment of A if B depends on A only, B is A's only consumer, both are in
 * the same scope, and neither a split nor a gather is between them. Returns the steps with their segments, and the
 * segments in topological order with their dependencies.
 */
export function fuseSegments(drafts: StepDraft[], scopes: Scope[]): { steps: Step[]; segments: Segment[] } {
  const needs = drafts.map((draft) => findStepNeeds(draft, drafts));
  const consumers = countConsumers(needs);
  const segmentOf: number[] = [];
  const segments: Segment[] = [];
  for (const draft of drafts) {
    const previous = findPredecessor(draft, needs, consumers, drafts);
    const joined = previous === null ? undefined : segments[segmentOf[previous] ?? -1];
    if (joined === undefined)
      segments.push({ index: segments.length, steps: [draft.index], scope: draft.scope, needs: [] });
    else joined.steps.push(draft.index);
    segmentOf[draft.index] = (joined ?? segments.at(-1))?.index ?? 0;
  }
  for (const segment of segments) segment.needs = findSegmentNeeds(segment, needs, segmentOf, scopes);
  return { steps: drafts.map((draft) => withSegment(draft, segmentOf[draft.index] ?? 0)), segments };
}

/** Finds the steps that must end before this one. `each`: the step's child of the same index; `all`: all of its children. */
function findStepNeeds(draft: StepDraft, drafts: StepDraft[]): Map<number, Need['how']> {
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
  for (const stepNeeds of needs) for (const step of stepNeeds.keys()) consumers[step] = (consumers[step] ?? 0) + 1;
  return consumers;
}

function findPredecessor(
  draft: StepDraft,
  needs: Map<number, Need['how']>[],
  consumers: number[],
  drafts: StepDraft[],
): number | null {
  const [only, ...others] = needs[draft.index] ?? [];
  if (only === undefined || others.length > 0) return null;
  const [step, how] = only;
  const previous = drafts[step];
  if (previous === undefined || previous.scope !== draft.scope || consumers[step] !== 1) return null;
  if (previous.program.kind === 'split' || draft.program.kind === 'split') return null;
  return draft.scope === null || how === 'each' ? step : null;
}

/** Only the first step of a segment depends on other segments. A segment in a scope also depends on the scope's split. */
function findSegmentNeeds(
  segment: Segment,
  needs: Map<number, Need['how']>[],
  segmentOf: number[],
  scopes: Scope[],
): Need[] {
  const merged = new Map<number, Need['how']>();
  if (segment.scope !== null) merged.set(segmentOf[scopes[segment.scope]?.split ?? -1] ?? 0, 'all');
  for (const [step, how] of needs[segment.steps[0] ?? -1] ?? []) {
    merged.set(segmentOf[step] ?? 0, how);
  }
  return [...merged].sort(([a], [b]) => a - b).map(([index, how]) => ({ segment: index, how }));
}

function withSegment(draft: StepDraft, segment: number): Step {
  const { scope, retries, timeoutSeconds, cache, network, size, ...rest } = draft;
  return { ...rest, segment, scope, retries, timeoutSeconds, cache, network, size };
}
