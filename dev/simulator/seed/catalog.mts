import type { Database } from '../database.mts';
import { toCents } from '../money.mts';
import { accountIds } from './accounts.mts';
import type { DaysAgo } from './daysAgo.mts';

/** IDs of suppliers. */
export const supplierIds = { meridian: 71, northgate: 72, harbor: 73 };

/** IDs of some catalog items of each type. All items are below. */
export const catalogItemIds = {
	/** Parts. The television and the mount have two suppliers each. */
	television: 9001,
	mount: 9006,
	speaker: 9010,
	switch: 9036,
	accessPoint: 9037,
	discontinued: 9039,
	/** Labor of the dealer's library. */
	installation: 8001,
	programming: 8002,
	/** CustomItem of the dealer's library; the care plan is a recurring service. */
	prewireKit: 8101,
	carePlan: 8103,
	/** Fee. */
	delivery: 8201,
	permit: 8202,
	/** Labor of the other dealer's library: a 404 for all other users. */
	laborOfOtherDealer: 8901,
};

const suppliers: [number, string][] = [
	[71, 'Meridian AV Supply'],
	[72, 'Northgate Distribution'],
	[73, 'Harbor Low Voltage'],
];

// id, parent (null: an industry), name
const categories: [number, number | null, string][] = [
	[1, null, 'Residential AV'],
	[2, null, 'Security & Networking'],
	[10, 1, 'Video'],
	[11, 1, 'Audio'],
	[12, 1, 'Control & Lighting'],
	[20, 2, 'Surveillance'],
	[21, 2, 'Access & Alarm'],
	[22, 2, 'Networking'],
	[101, 10, 'Televisions'],
	[102, 10, 'Projectors & Screens'],
	[103, 10, 'Mounts'],
	[111, 11, 'Speakers'],
	[112, 11, 'Amplifiers & Receivers'],
	[121, 12, 'Controllers & Remotes'],
	[122, 12, 'Lighting & Shades'],
	[123, 12, 'Power & Racks'],
	[201, 20, 'Cameras'],
	[202, 20, 'Recorders'],
	[211, 21, 'Locks & Sensors'],
	[221, 22, 'Switches & Access Points'],
];

/**
 * The shared catalog: id, category, brand, model, text, MSRP, default supplier and its cost, then
 * other suppliers with theirs. All brands are made up.
 */
const parts: [number, number, string, string, string, number, number, number, ...number[]][] = [
	[9001, 101, 'Lumenfold', 'LX65', '65-inch 4K television', 1799, 71, 1240, 72, 1265],
	[9002, 101, 'Lumenfold', 'LX77', '77-inch 4K television', 2999, 71, 2080, 72, 2110],
	[9003, 101, 'Lumenfold', 'LX85-P', '85-inch 4K television, bright room', 4299, 71, 2950],
	[9004, 102, 'Lumenfold', 'Beam 4', '4K laser projector', 6499, 72, 4390, 71, 4450],
	[9005, 102, 'Halden', 'ScreenFlat 120', '120-inch fixed screen', 1890, 72, 1120],
	[
		9006,
		103,
		'Stillgrip',
		'SG-T80',
		'Tilting mount for 60 to 85 inches',
		149.95,
		72,
		71.5,
		73,
		73.25,
	],
	[9007, 103, 'Stillgrip', 'SG-A90', 'Articulating mount for 65 to 90 inches', 389, 72, 196],
	[9008, 111, 'Corvane', 'CV-6C', '6.5-inch in-ceiling speaker', 219, 71, 117.4, 73, 121],
	[9009, 111, 'Corvane', 'CV-8C', '8-inch in-ceiling speaker', 329, 71, 178.2],
	[9010, 111, 'Corvane', 'CV-W5', 'In-wall LCR speaker', 449, 71, 243],
	[9011, 111, 'Corvane', 'Depth 12', '12-inch subwoofer', 1199, 71, 655],
	[9012, 111, 'Corvane', 'Garden 4', 'Landscape satellite speaker', 279, 71, 150.35],
	[9013, 112, 'Ostrava Audio', 'R9.2', '9.2-channel receiver', 2199, 71, 1390, 72, 1405],
	[9014, 112, 'Ostrava Audio', 'Zone 8', '8-zone amplifier', 2650, 71, 1585],
	[9015, 112, 'Ostrava Audio', 'Stream One', 'Network music player', 549, 71, 322],
	[9016, 121, 'Hearthline', 'Core 3', 'Home controller', 1290, 72, 742, 73, 755],
	[9017, 121, 'Hearthline', 'Core 5', 'Home controller, large', 2490, 72, 1435],
	[9018, 121, 'Hearthline', 'Handset', 'Remote control with display', 420, 72, 238],
	[9019, 121, 'Hearthline', 'Glass 7', '7-inch wall touch panel', 890, 72, 512.6],
	[9020, 122, 'Brightloom', 'Dim-1', 'Wireless dimmer', 149, 73, 84.15, 72, 86],
	[9021, 122, 'Brightloom', 'Key-6', 'Six-button keypad', 219, 73, 124.9],
	[9022, 122, 'Brightloom', 'Hub', 'Lighting processor', 690, 73, 391],
	[9023, 122, 'Shadewright', 'Roll 72', 'Motorised roller shade to 72 inches', 780, 73, 448],
	[9024, 122, 'Shadewright', 'Drape 14', 'Motorised drapery track, 14 feet', 1460, 73, 838],
	[9025, 123, 'Arcwell', 'Rack 27', '27-unit floor rack', 829, 72, 471],
	[9026, 123, 'Arcwell', 'Surge 12', '12-outlet power conditioner', 399, 72, 219.99, 71, 224],
	[9027, 123, 'Arcwell', 'Hold 1500', 'Rack battery backup, 1500 VA', 949, 72, 611],
	[9028, 201, 'Sentrava', 'Dome 8', '8-megapixel dome camera', 429, 73, 248, 72, 252],
	[9029, 201, 'Sentrava', 'Turret 4', '4-megapixel turret camera', 259, 73, 147.35],
	[9030, 201, 'Sentrava', 'Gate LPR', 'Number-plate camera', 1890, 73, 1121],
	[9031, 202, 'Sentrava', 'NVR-16', '16-channel recorder, 8 TB', 1490, 73, 902],
	[9032, 211, 'Keelbolt', 'Deadbolt Z', 'Wireless deadbolt', 329, 73, 189],
	[9033, 211, 'Keelbolt', 'Door 2', 'Door station with camera', 749, 73, 428],
	[9034, 211, 'Sentrava', 'Panel 32', 'Alarm panel, 32 zones', 589, 73, 322.8],
	[9035, 211, 'Sentrava', 'Motion P', 'Motion detector', 64.95, 73, 31.05],
	[9036, 221, 'Netquill', 'SW-24P', '24-port PoE switch', 899, 72, 559, 73, 564.5],
	[9037, 221, 'Netquill', 'AP-6', 'Wi-Fi access point, ceiling', 249, 72, 148.75],
	[9038, 221, 'Netquill', 'Edge 2', 'Router with firewall', 489, 72, 296],
	[9039, 221, 'Netquill', 'AP-5', 'Wi-Fi access point, older', 199, 72, 120],
	[9040, 123, 'Arcwell', 'Cat6 500', 'Category 6 cable, 500 feet', 189, 73, 96.4, 72, 97.1],
];

const DISCONTINUED = 9039;
const OUT_OF_STOCK = [9003, 9030];
const favorites = [9001, 9008, 9016, 9028, 9036];
const approved = [9001, 9002, 9008, 9009, 9013, 9016, 9020, 9028, 9036, 9037];

/**
 * The dealers' libraries (89..: the other dealer's): ID, type, name, text, price, cost, recurring.
 */
const library: [number, string, string, string, number, number, boolean][] = [
	[8001, 'Labor', 'Installation', 'Installation, per hour', 125, 58, false],
	[8002, 'Labor', 'Programming', 'Programming, per hour', 160, 74, false],
	[8003, 'Labor', 'Project management', 'Project management, per hour', 140, 66.5, false],
	[8101, 'CustomItem', 'Prewire kit', 'Cable, boxes and plates for one room', 240, 118.75, false],
	[8102, 'CustomItem', 'Custom cabinet', 'Ventilated walnut cabinet', 1850, 990, false],
	[8103, 'CustomItem', 'Care plan', 'Remote monitoring, per month', 49, 12, true],
	[8104, 'CustomItem', 'Alarm monitoring', 'Central station, per month', 34.5, 9.25, true],
	[8201, 'Fee', 'Delivery', 'Delivery to site', 95, 60, false],
	[8202, 'Fee', 'Permit', 'Low-voltage permit', 180, 180, false],
	[8901, 'Labor', 'Crew', 'Crew of two, per hour', 210, 97, false],
];

/** Inserts suppliers, categories, the catalog, the libraries and the dealer's favorites. */
export function insertCatalog(database: Database, daysAgo: DaysAgo): void {
	const verified = daysAgo(1, '06:00');
	for (const [id, name] of suppliers) database.insert('suppliers', { id, name });
	for (const [id, parent_id, name] of categories) {
		database.insert('categories', { id, parent_id, name });
	}
	for (const [id, category_id, brand, model, text, msrp, ...offers] of parts) {
		database.insert('catalog_items', {
			id,
			item_type: 'Part',
			brand,
			model,
			short_description: text,
			description: `${brand} ${model}: ${text}. Invented for the simulator.`,
			image_url: `https://catalog.example/images/${id}.jpg`,
			category_id,
			msrp_cents: toCents(msrp),
			is_discontinued: id === DISCONTINUED,
			last_modified_date: verified,
		});
		for (let index = 0; index < offers.length; index += 2) {
			database.insert('catalog_costs', {
				item_id: id,
				supplier_id: offers[index],
				sku: `${offers[index]}-${id}`,
				cost_cents: toCents(offers[index + 1]!),
				is_in_stock: !OUT_OF_STOCK.includes(id),
				is_default: index === 0,
				last_verified_date: verified,
			});
		}
	}
	for (const [id, item_type, name, text, price, cost, isRecurring] of library) {
		database.insert('catalog_items', {
			id,
			account_id: id < 8900 ? accountIds.dealer : accountIds.otherDealer,
			item_type,
			name,
			short_description: text,
			msrp_cents: toCents(price),
			cost_cents: toCents(cost),
			is_recurring_service: isRecurring,
			last_modified_date: verified,
		});
	}
	for (const item_id of new Set([...favorites, ...approved])) {
		database.insert('catalog_marks', {
			account_id: accountIds.dealer,
			item_id,
			is_favorite: favorites.includes(item_id),
			is_company_approved: approved.includes(item_id),
		});
	}
}
