import type { ReactNode } from 'react';
import { formatCount } from '../../../text/format-count.js';
import { buttonClass, IconButton } from '../../../ui/button.js';
import { Select } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';
import { SearchInput } from '../../../ui/search-input.js';

interface LogToolbarProps {
  stream: 'stdout' | 'stderr';
  onStream: (stream: 'stdout' | 'stderr') => void;
  attempt: number;
  attempts: readonly number[];
  onAttempt: (attempt: number) => void;
  searched: string;
  onSearch: (text: string) => void;
  /** Lines that match; undefined without a search. */
  matches: { count: number; current: number; isDone: boolean } | undefined;
  onMatch: (direction: 1 | -1) => void;
  isWrapped: boolean;
  onWrap: () => void;
  showsTimes: boolean;
  onTimes: () => void;
  downloadUrl: string;
  downloadName: string;
  status: ReactNode;
}

export function LogToolbar(props: LogToolbarProps) {
  const { stream, matches, attempts } = props;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-3 py-2">
      <div role="group" aria-label="Which log" className="flex rounded-md border border-line">
        {(['stdout', 'stderr'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={stream === name}
            onClick={() => props.onStream(name)}
            className="h-7.5 px-2.5 font-mono text-xs text-muted first:rounded-l-md last:rounded-r-md hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink"
          >
            {name}
          </button>
        ))}
      </div>
      {attempts.length > 1 && (
        <Select
          aria-label="Attempt"
          className="w-32!"
          value={String(props.attempt)}
          options={attempts.map((attempt) => ({ value: String(attempt), label: `Attempt ${attempt}` }))}
          onChange={(value) => props.onAttempt(Number(value))}
        />
      )}
      <div
        className={`flex flex-1 items-center gap-0.5 ${matches ? 'min-w-80' : 'min-w-40'}`}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onMatch(event.shiftKey ? -1 : 1);
        }}
      >
        <SearchInput
          label="Search the log"
          value={props.searched}
          onChange={props.onSearch}
          className="min-w-28 flex-1"
        />
        {matches && (
          <>
            <span role="status" className="nums px-1.5 text-xs whitespace-nowrap text-muted">
              {matches.count === 0 && matches.isDone
                ? 'not found'
                : `${matches.current > 0 ? `${formatCount(matches.current)} of ` : ''}${formatCount(matches.count)}${matches.isDone ? '' : '…'} ${matches.count === 1 ? 'line' : 'lines'}`}
            </span>
            <IconButton
              icon="chevronUp"
              label="Previous match (Shift Enter)"
              disabled={matches.count === 0}
              onClick={() => props.onMatch(-1)}
            />
            <IconButton
              icon="chevronDown"
              label="Next match (Enter)"
              disabled={matches.count === 0}
              onClick={() => props.onMatch(1)}
            />
          </>
        )}
      </div>
      <span className="nums text-xs whitespace-nowrap text-muted">{props.status}</span>
      <div className="ml-auto flex gap-1.5">
        <IconButton
          icon="clock"
          label="Times of lines"
          aria-pressed={props.showsTimes}
          className="aria-pressed:bg-pressed aria-pressed:text-ink"
          onClick={props.onTimes}
        />
        <IconButton
          icon="textCursorInput"
          label="Wrap long lines"
          aria-pressed={props.isWrapped}
          className="aria-pressed:bg-pressed aria-pressed:text-ink"
          onClick={props.onWrap}
        />
        <a
          href={props.downloadUrl}
          download={props.downloadName}
          aria-label="Download the log"
          title="Download the log"
          className={buttonClass('quiet', true)}
        >
          <Icon name="download" />
        </a>
      </div>
    </div>
  );
}
