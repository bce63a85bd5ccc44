/** Whether a value that stands under the key `constructor` is one through which merging objects reaches a prototype. */
export const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
