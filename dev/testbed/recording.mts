/** A real audio file, made on the spot: a WAV of a tone that wavers as a voice does. */
export function makeRecording(seconds = 3): Buffer<ArrayBuffer> {
	const rate = 16_000;
	const samples = rate * seconds;
	const header = Buffer.alloc(44);
	header.write('RIFF', 0);
	header.writeUInt32LE(36 + samples * 2, 4);
	header.write('WAVEfmt ', 8);
	header.writeUInt32LE(16, 16);
	// PCM, one channel, two bytes a sample.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * 2, 28);
	header.writeUInt16LE(2, 32);
	header.writeUInt16LE(16, 34);
	header.write('data', 36);
	header.writeUInt32LE(samples * 2, 40);
	const sound = Buffer.alloc(samples * 2);
	for (let at = 0; at < samples; at++) {
		const time = at / rate;
		const tone = Math.sin(2 * Math.PI * (180 * time + 2 * Math.sin(2 * Math.PI * 5 * time)));
		sound.writeInt16LE(Math.round(tone * 12_000), at * 2);
	}
	return Buffer.concat([header, sound]);
}
