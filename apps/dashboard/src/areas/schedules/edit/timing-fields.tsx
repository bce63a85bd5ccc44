import { Field, INPUT_CLASS, Select, TextField } from '../../../ui/field.js';
import { describeCron } from '../describe-schedule.js';
import type { ScheduleForm } from './schedule-form.js';

interface TimingFieldsProps {
  form: ScheduleForm;
  onChange: (part: Partial<ScheduleForm>) => void;
}

const PRESETS = ['*/15 * * * *', '0 * * * *', '0 */6 * * *', '0 3 * * *', '0 9 * * 1-5', '0 9 * * 1', '0 0 1 * *'];

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** A cron expression with its time zone. Common ones are a choice. */
export const CronFields = ({ form: { cron, timezone }, onChange }: TimingFieldsProps) => (
  <>
    <div className="grid grid-cols-2 items-end gap-3 max-sm:grid-cols-1">
      <TextField
        label="Cron expression"
        value={cron}
        onChange={(text) => onChange({ cron: text })}
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Select
        aria-label="Common times"
        value={PRESETS.includes(cron) ? cron : ''}
        options={[
          { value: '', label: 'Common times…' },
          ...PRESETS.map((value) => ({ value, label: describeCron(value) ?? value })),
        ]}
        onChange={(value) => value !== '' && onChange({ cron: value })}
      />
    </div>
    <p className="-mt-3 text-xs text-muted">Minute, hour, day, month, weekday; or six fields with seconds first.</p>
    <Field label="Time zone">
      {(attributes) => (
        <>
          <input
            {...attributes}
            list="time-zones"
            value={timezone}
            onChange={(event) => onChange({ timezone: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            required
            className={INPUT_CLASS}
          />
          <datalist id="time-zones">
            {ZONES.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  </>
);

export const PeriodField = ({ form: { period }, onChange }: TimingFieldsProps) => (
  <TextField
    type="number"
    min={1}
    max={527_040}
    label="Minutes between two starts"
    hint="A start is skipped if the last run of the schedule is unfinished."
    value={period}
    onChange={(text) => onChange({ period: text })}
    required
  />
);
