/**
 * What came out of parsing JSON, YAML or a form. Its shape is vouched for by the contract's check
 * at run time, which the type checker cannot see; so it is `any`, here and nowhere else.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;
