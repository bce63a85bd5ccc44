import { useState } from 'react';
import type { Run, SubjobsGetResponse } from '@millrace/client';
import { apiUrl } from '../../../api/client.js';
import { useStore } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf } from '../../../text/format-count.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { useRunSearch } from '../run/use-run-search.js';
import { LineDialog } from './line-dialog.js';
import { LogToolbar } from './log-toolbar.js';
import { LogView } from './log-view.js';
import type { LogBuffer } from './text/log-buffer.js';
import { nextMatch } from './text/next-match.js';
import { useLogTimes } from './times/use-log-times.js';
import { useLogSearch } from './use-log-search.js';
import { type LogSource, useLog, useLogVersion } from './use-log.js';

const readFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const wrapsLines = createStoredValue('log.wrap', false, readFlag);
const showsTimes = createStoredValue('log.times', false, readFlag);

/** The log of one attempt at a subjob. */
export function LogTab({ run, subjob }: { run: Run; subjob: SubjobsGetResponse }) {
  const { search, patch } = useRunSearch();
  const { stream = 'stdout', find = '', line } = search;
  const attempt = search.attempt ?? subjob.attempt;
  const source: LogSource = { run: run.id, subjob: subjob.id, stream, attempt };
  const buffer = useLog(source);
  useLogVersion(buffer);
  const found = useLogSearch(buffer, find);
  const isWrapped = useStore(wrapsLines);
  const isTimed = useStore(showsTimes);
  const { times, isEmpty } = useLogTimes(source, buffer, isTimed);
  const [cutLine, setCutLine] = useState<number>();
  const goTo = (direction: 1 | -1) => {
    const next = found && nextMatch(found, line, direction);
    if (next !== undefined) patch({ line: next });
  };
  const place = found && line !== undefined ? found.placeOf(line - 1) : -1;
  const isOnMatch = line !== undefined && found?.lineAt(place) === line - 1;
  return (
    <>
      <LogToolbar
        stream={stream}
        onStream={(next) => patch({ stream: next === 'stderr' ? next : undefined, line: undefined })}
        attempt={attempt}
        attempts={subjob.attempts.filter(({ status }) => status !== 'LOST').map((one) => one.attempt)}
        onAttempt={(next) => patch({ attempt: next === subjob.attempt ? undefined : next, line: undefined })}
        searched={find}
        onSearch={(text) => patch({ find: text || undefined, line: undefined })}
        matches={found && { count: found.count, current: isOnMatch ? place + 1 : 0, isDone: found.isDone }}
        onMatch={goTo}
        isWrapped={isWrapped}
        onWrap={() => wrapsLines.set(!isWrapped)}
        showsTimes={isTimed}
        onTimes={() => showsTimes.set(!isTimed)}
        downloadUrl={apiUrl(
          `/runs/${encodeURIComponent(run.id)}/subjobs/${encodeURIComponent(subjob.id)}/logs?stream=${stream}&attempt=${attempt}`,
        )}
        downloadName={`run-${run.id}-${subjob.label}-${subjob.id}.${stream}.log`}
        status={`${describeSize(buffer)}${isEmpty ? ' · no times' : ''}`}
      />
      {buffer.error !== undefined && <ErrorNote error={buffer.error} className="m-3" />}
      {buffer.lineCount === 0 ? (
        <p role="status" className="p-4 text-sm text-muted">
          {emptyText(buffer, subjob, stream)}
        </p>
      ) : (
        <LogView
          key={`${stream} ${attempt}`}
          buffer={buffer}
          isWrapped={isWrapped}
          searched={find}
          times={times}
          line={line}
          onLine={(next) => patch({ line: next === line ? undefined : next })}
          onCutLine={setCutLine}
        />
      )}
      {cutLine !== undefined && <LineDialog buffer={buffer} line={cutLine} onClose={() => setCutLine(undefined)} />}
    </>
  );
}

const describeSize = (buffer: LogBuffer): string =>
  buffer.lineCount === 0
    ? ''
    : `${countOf(buffer.lineCount, 'line')} · ${formatBytes(buffer.byteCount)}${buffer.isCut ? ' (the rest is in the download)' : ''}`;

function emptyText({ isComplete }: LogBuffer, { status }: SubjobsGetResponse, stream: string): string {
  if (isComplete) return `It wrote nothing to ${stream}.`;
  if (status === 'PENDING') return 'It has not started. Its log appears here when it does.';
  return status === 'RUNNING' ? `It has written nothing to ${stream} so far.` : 'Reading the log…';
}
