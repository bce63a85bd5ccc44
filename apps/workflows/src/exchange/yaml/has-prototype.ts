/** Whether the value of a key `constructor` is one through which merging objects would reach a prototype. */
export const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
