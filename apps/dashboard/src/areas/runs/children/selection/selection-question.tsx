import { useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { countOf, formatCount } from '../../../../text/format-count.js';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.js';
import { useRefreshRun } from '../../actions/use-refresh-run.js';
import { changeChildren } from './change-children.js';
import { describeNumbers, type Verb } from './choose-children.js';

const TEXTS: Record<Verb, { title: string; effect: string; action: string }> = {
  retry: {
    title: 'again',
    effect: 'They run again, and so does everything that depends on them. Earlier attempts and their logs stay.',
    action: 'Run again',
  },
  stop: { title: 'Stop', effect: 'Their processes end. What depends on them is skipped.', action: 'Stop' },
  skip: {
    title: 'Go on without',
    effect: 'They are skipped. What gathers them takes the others, and what follows for the same child is skipped.',
    action: 'Skip',
  },
};

interface SelectionQuestionProps {
  run: Run;
  group: Subjob;
  verb: Verb;
  /** The children that it applies to, from 1. */
  indexes: readonly number[];
  selected: number;
  onClose: () => void;
}

/** Asks before several children are changed. */
export function SelectionQuestion({ run, group, verb, indexes, selected, onClose }: SelectionQuestionProps) {
  const refresh = useRefreshRun(run.id);
  const [done, setDone] = useState(0);
  const { title, effect, action } = TEXTS[verb];
  const children = `${countOf(indexes.length, 'child', 'children')} of “${group.label}”`;
  const others = selected - indexes.length;
  return (
    <ConfirmDialog
      title={verb === 'retry' ? `Run ${children} ${title}?` : `${title} ${children}?`}
      description={
        <>
          <span className="nums">
            {indexes.length === 1 ? 'Child' : 'Children'} {describeNumbers(indexes)}. {effect}
            {others > 0 && ` ${formatCount(others)} of the ${formatCount(selected)} selected stay as they are.`}
          </span>
          {done > 0 && (
            <span role="status" className="nums mt-2 block">
              {formatCount(done)} of {formatCount(indexes.length)} done
            </span>
          )}
        </>
      }
      action={action}
      isDangerous={verb === 'stop'}
      onConfirm={async () => {
        try {
          await changeChildren(group, verb, indexes, setDone);
        } finally {
          await refresh();
        }
      }}
      onClose={onClose}
    />
  );
}
