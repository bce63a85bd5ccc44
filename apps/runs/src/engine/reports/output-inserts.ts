import type { FileRef } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import { Prisma, type Output } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { OUTPUT_COLUMNS } from '../rows/table-columns.js';
import type { LockedRun } from '../transaction/locked-run.js';
import type { ReportedSubjob } from './read-state.js';

/** A subjob that ended, and the report of its end. */
interface EndedSubjob {
  subjob: ReportedSubjob;
  report: FinishedReport;
  run: LockedRun;
}

/** Outputs in one statement. Making its text takes some 10 ms. */
const MAX_OUTPUTS_PER_STATEMENT = 1_000;

const FIELDS = OUTPUT_COLUMNS.fields();
const names = OUTPUT_COLUMNS.names(FIELDS);

/**
 * Inserts the outputs of ended subjobs: all short lists in one statement, and each long list in several.
 * @returns `long`: a statement is made when the iterator reaches it, so that the event loop can do other work in between
 */
export function insertOutputs(ended: EndedSubjob[]): { short: Iterable<Prisma.Sql>; long: Iterable<Prisma.Sql> } {
  const [short, long] = [ended.filter((subjob) => !isLong(subjob)), ended.filter(isLong)];
  return {
    short: insertRows(short.flatMap((subjob) => toRows(subjob, filesOf(subjob)))),
    long: insertInParts(long),
  };
}

/** Files that the report itself lists; the caller has replaced a manifest by the list in it. */
const filesOf = ({ report }: EndedSubjob): FileRef[] => ('files' in report.outputs ? report.outputs.files : []);

const isLong = (ended: EndedSubjob): boolean => filesOf(ended).length > MAX_OUTPUTS_PER_STATEMENT;

function* insertInParts(ended: EndedSubjob[]): Iterable<Prisma.Sql> {
  for (const subjob of ended) {
    const files = filesOf(subjob);
    for (let from = 0; from < files.length; from += MAX_OUTPUTS_PER_STATEMENT) {
      yield* insertRows(toRows(subjob, files.slice(from, from + MAX_OUTPUTS_PER_STATEMENT)));
    }
  }
}

function toRows({ subjob, run }: EndedSubjob, files: FileRef[]) {
  const { node, label } = run.plan.step(subjob.step);
  return files.map(({ path, sha256, size, shown }) => ({
    id: newId(),
    runId: run.id,
    subjobId: subjob.id,
    step: subjob.step,
    task: subjob.task,
    node,
    label,
    path,
    size,
    sha256,
    attempt: subjob.attempt,
    replaced: false,
    shownSize: shown?.size ?? null,
    shownSha256: shown?.sha256 ?? null,
  })) satisfies Record<keyof Output, unknown>[];
}

function* insertRows(rows: ReturnType<typeof toRows>): Iterable<Prisma.Sql> {
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.output (${names}) SELECT ${names} FROM ${OUTPUT_COLUMNS.recordset(FIELDS, rows)}`;
}
