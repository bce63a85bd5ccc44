import { InvalidArgumentError } from 'commander';

type Values = Record<string, string>;

/**
 * A parser of a repeatable argument `<name>=<value>`.
 * @param form how the argument is written, for the error, such as `input=value`
 */
export const collectAssignments =
  (form: string) =>
  (text: string, previous: Values | undefined): Values => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new InvalidArgumentError(`Use the form ${form}.`);
    return { ...previous, [name]: value };
  };

/** Parses `--set` of inputs. */
export const collectInputs = collectAssignments('input=value');
