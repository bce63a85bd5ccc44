import { useMemo, useState } from 'react';
import type { Run, Subjob } from '@millrace/client';
import { useSpaceRole } from '../../../../api/roles.js';
import { countOf, formatCount } from '../../../../text/format-count.js';
import { Button } from '../../../../ui/button.js';
import type { IconName } from '../../../../ui/icon.js';
import type { ChildStates } from '../../live/child-states.js';
import { chooseChildren, MAX_CHOSEN, type Verb, VERBS } from './choose-children.js';
import { SelectionQuestion } from './selection-question.js';

const LOOKS: Record<Verb, { label: (count: string) => string; icon: IconName }> = {
  retry: { label: (count) => `Run ${count} again`, icon: 'retry' },
  stop: { label: (count) => `Stop ${count}`, icon: 'circleStop' },
  skip: { label: (count) => `Go on without ${count}`, icon: 'skipForward' },
};

interface SelectionBarProps {
  run: Run;
  group: Subjob;
  states: ChildStates;
  /** The selected children, from 0. */
  places: readonly number[];
  /** That of the statuses. */
  version: number;
  onClear: () => void;
}

/** What can be done with the selected children, each with the number that it applies to. */
export function SelectionBar({ run, group, states, places, version, onClear }: SelectionBarProps) {
  const [question, setQuestion] = useState<{ verb: Verb; indexes: readonly number[] }>();
  const mayRun = useSpaceRole(run.space_info, 'execute') && run.status !== 'STOPPING';
  const chosen = useMemo(
    () => chooseChildren(states, places, run.finished),
    // oxlint-disable-next-line react/exhaustive-deps -- the version is that of what is in `states`
    [states, places, run.finished, version],
  );
  return (
    <div
      role="group"
      aria-label="Selected children"
      className="flex flex-wrap items-center gap-2 rounded-md border border-accent-line bg-accent-soft px-3 py-1.5"
    >
      <p role="status" className="nums text-sm">
        {countOf(places.length, 'child', 'children')} selected
      </p>
      <div className="ml-auto flex flex-wrap gap-1">
        {mayRun &&
          VERBS.filter((verb) => chosen[verb].length > 0).map((verb) => {
            const count = chosen[verb].length;
            const isTooMany = count > MAX_CHOSEN[verb];
            return (
              <Button
                key={verb}
                icon={LOOKS[verb].icon}
                disabled={isTooMany}
                {...(isTooMany && { title: `At most ${formatCount(MAX_CHOSEN[verb])} children at a time` })}
                onClick={() => setQuestion({ verb, indexes: chosen[verb] })}
              >
                {LOOKS[verb].label(formatCount(count))}
              </Button>
            );
          })}
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
      {question && (
        <SelectionQuestion
          run={run}
          group={group}
          {...question}
          selected={places.length}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </div>
  );
}
