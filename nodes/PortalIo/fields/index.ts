/** The kinds of fields: operations use them as `field.text('City')`. */
export * from './field';
export * from './types';
