/** The products of the company, as an AV dealer would enter them. */
import type { Item } from './types.mts';

/** A product as somebody enters it. */
export type NewItem = Pick<Item, 'Name' | 'Sku' | 'Type'>;

/** Part numbers by brand. One part of the Portal.io catalog is missing on purpose: Gate LPR. */
const PARTS: Record<string, string[]> = {
	Lumenfold: ['LX65', 'LX77', 'LX85-P', 'Beam 4'],
	Halden: ['ScreenFlat 120'],
	Stillgrip: ['SG-T80', 'SG-A90'],
	Corvane: ['CV-6C', 'CV-8C', 'CV-W5', 'Depth 12', 'Garden 4'],
	'Ostrava Audio': ['R9.2', 'Zone 8', 'Stream One'],
	Hearthline: ['Core 3', 'Core 5', 'Handset', 'Glass 7'],
	Brightloom: ['Dim-1', 'Key-6', 'Hub'],
	Shadewright: ['Roll 72', 'Drape 14'],
	Arcwell: ['Rack 27', 'Surge 12', 'Hold 1500', 'Cat6 500'],
	Sentrava: ['Dome 8', 'Turret 4', 'NVR-16', 'Panel 32', 'Motion P'],
	Keelbolt: ['Deadbolt Z', 'Door 2'],
	Netquill: ['SW-24P', 'AP-6', 'Edge 2', 'AP-5'],
};

/** What the dealer's library calls the same. */
const SERVICES = ['Installation', 'Programming', 'Project management', 'Delivery', 'Permit'];
const OTHERS = ['Prewire kit', 'Custom cabinet'];

/** All of them, parts first. */
export const items: NewItem[] = [
	...Object.entries(PARTS).flatMap(([brand, models]) =>
		models.map((Sku) => ({ Name: `${brand} ${Sku}`, Sku, Type: 'Inventory' })),
	),
	...SERVICES.map((Name) => ({ Name, Type: 'Service' })),
	...OTHERS.map((Name) => ({ Name, Type: 'NonInventory' })),
];
