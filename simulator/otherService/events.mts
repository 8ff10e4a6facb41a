import type { OtherService } from './settings.mts';

/** The events that can be subscribed to, by documented identifier. */
export function eventNames(
	documented: readonly string[],
	{ events }: OtherService = {},
): readonly string[] {
	return events?.names ? documented.flatMap((one) => events.names![one] ?? []) : documented;
}

/** What an event is called; undefined when this service does not have it. */
export function eventName(type: string, service: OtherService | undefined): string | undefined {
	return service?.events?.names ? service.events.names[type] : type;
}
