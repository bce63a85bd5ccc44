/** Every operation of the API, for `CoreClient`: `client.call(runs.get, { params: { id: '7' } })`. */
export * from './generated/operations.js';
