import { type Binding, type Plan, type Segment, type Step } from '../plan/plan.js';
import { inputKey } from '../run/build-command-line.js';
import { type ExpectedStep, type Origin } from './random-workflow.js';

/** The output of each step, by `<path>#<child>` (`<path>#split` for split steps), as a digest of all its inputs. */
export type Traces = Map<string, string>;

/** The number of items depends on the split's input, so that both sides compute the same number. */
const countItems = (trace: string): number => Number.parseInt(digest(trace), 16) % 4;

function digest(text: string): string {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return (hash >>> 0).toString(16);
}

const traceOf = (path: string, child: number, inputs: string[]): string =>
  digest(`${path}#${child}(${inputs.sort().join(',')})`);
const gathered = (parts: string[]): string => `[${parts.map((part, index) => `${index + 1}:${part}`).join()}]`;

/** Computes the expected traces of a run from the drawing, without a plan. */
export function expectTraces(steps: ExpectedStep[]): Traces {
  const traces: Traces = new Map();
  const counts = new Map<string, number>();
  const scopes = new Map(steps.filter((step) => !step.split).map((step) => [step.path, step.scope]));
  const read = (origin: Origin, child: number): string => {
    if (origin.from === 'primitive') return origin.primitive;
    if (origin.from === 'item') return `${origin.scope}@${child}`;
    const scope = scopes.get(origin.path) ?? null;
    if (!origin.gather)
      return `${origin.port}:${traces.get(`${origin.path}#${scope === null ? 0 : child}`) ?? 'nothing'}`;
    const children = numbers(counts.get(scope ?? '') ?? 0);
    return gathered(children.map((one) => traces.get(`${origin.path}#${one}`) ?? 'nothing'));
  };
  for (const { path, split, scope, inputs } of steps) {
    for (const child of scope === null ? [0] : numbers(counts.get(scope) ?? 0)) {
      const trace = traceOf(
        path,
        child,
        inputs.map(({ key, origin }) => `${key}=${read(origin, child)}`),
      );
      traces.set(`${path}#${split ? 'split' : child}`, trace);
      if (split) counts.set(path, countItems(trace));
    }
  }
  return traces;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Runs a plan as the engine does: a task is a segment and a child, and `pick` chooses the next of the ready tasks.
 * @throws Error if a step's input does not exist yet, a task would run twice, or no task can run
 */
export function runPlan(plan: Plan, pick: (ready: number) => number): Traces {
  const traces: Traces = new Map();
  const counts = new Map<number, number>();
  const done = new Set<string>();
  const children = (scope: number | null): number[] | null => {
    if (scope === null) return [0];
    const count = counts.get(scope);
    return count === undefined ? null : numbers(count);
  };
  const isReady = (segment: Segment, child: number): boolean =>
    segment.needs.every(({ segment: index, how }) => {
      if (how === 'each') return done.has(`${index}#${child}`);
      return children(plan.segments[index]?.scope ?? null)?.every((one) => done.has(`${index}#${one}`)) ?? false;
    });
  const ready = (): [Segment, number][] =>
    plan.segments.flatMap((segment) =>
      (children(segment.scope) ?? [])
        .filter((child) => !done.has(`${segment.index}#${child}`) && isReady(segment, child))
        .map((child): [Segment, number] => [segment, child]),
    );
  for (let tasks = ready(); tasks.length > 0; tasks = ready()) {
    const [segment, child] = tasks[pick(tasks.length) % tasks.length] ?? [undefined, 0];
    for (const index of segment?.steps ?? []) runStep(plan, index, child, children, counts, traces);
    done.add(`${segment?.index ?? -1}#${child}`);
  }
  for (const segment of plan.segments) {
    for (const child of children(segment.scope) ?? [NaN]) {
      if (!done.has(`${segment.index}#${child}`))
        throw new Error(`segment ${segment.index} is stuck at child ${child}`);
    }
  }
  return traces;
}

function runStep(
  plan: Plan,
  index: number,
  child: number,
  children: (scope: number | null) => number[] | null,
  counts: Map<number, number>,
  traces: Traces,
): void {
  const step = plan.steps[index];
  if (step === undefined) throw new Error(`no step ${index}`);
  const outputOf = (other: Step, one: number): string => {
    const trace = traces.get(`${other.node}#${one}`);
    if (trace === undefined) throw new Error(`${step.node}#${child} runs before ${other.node}#${one}`);
    return trace;
  };
  const read = (binding: Binding): string => {
    if (binding.from === 'value') return String(binding.value);
    if (binding.from === 'primitive') return binding.primitive;
    if (binding.from === 'item') return `${plan.steps[plan.scopes[binding.scope]?.split ?? -1]?.node ?? '?'}@${child}`;
    const other = plan.steps[binding.step];
    if (other === undefined) throw new Error(`no step ${binding.step}`);
    if (!binding.gather) return `${binding.port}:${outputOf(other, other.scope === null ? 0 : child)}`;
    return gathered((children(other.scope) ?? [NaN]).map((one) => outputOf(other, one)));
  };
  const split = step.program.kind === 'split';
  const inputs = step.inputs.map((input) => `${inputKey(input)}=${read(input.binding)}`);
  const key = `${step.node}#${split ? 'split' : child}`;
  if (traces.has(key)) throw new Error(`${key} runs twice`);
  traces.set(key, traceOf(step.node, child, inputs));
  const scope = plan.scopes.find((one) => one.split === index);
  if (scope !== undefined) counts.set(scope.index, countItems(traces.get(key) ?? ''));
}
