/** What the fixture server has to show: the names and texts are those that the conformance suites ask for. */

/** A red pixel. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound of no length. */
const audio = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (said: string) => ({type: 'text' as const, text: said});
const picture = {type: 'image' as const, data: image, mimeType: 'image/png'};
const embedded = (uri: string, mimeType: string, said: string) => ({
	type: 'resource' as const,
	resource: {uri, mimeType, text: said},
});

/** Tools that always answer the same. */
export const fixedAnswers = {
	test_simple_text: [text('This is a simple text response for testing.')],
	test_image_content: [picture],
	test_audio_content: [{type: 'audio' as const, data: audio, mimeType: 'audio/wav'}],
	test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
	test_multiple_content_types: [
		text('Multiple content types test:'),
		picture,
		embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
	],
	json_schema_2020_12_tool: [text('The schema is what counts.')],
};

/** Tools that ask the person at the client, by the form they show. */
export const forms = {
	test_elicitation: {
		type: 'object' as const,
		properties: {response: {type: 'string' as const, description: 'What the person says'}},
		required: ['response'],
	},
	test_elicitation_sep1034_defaults: {
		type: 'object' as const,
		properties: {
			name: {type: 'string' as const, default: 'John Doe'},
			age: {type: 'integer' as const, default: 30},
			score: {type: 'number' as const, default: 95.5},
			status: {type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active'},
			verified: {type: 'boolean' as const, default: true},
		},
	},
	test_elicitation_sep1330_enums: {
		type: 'object' as const,
		properties: {
			untitledSingle: {type: 'string' as const, enum: ['option1', 'option2', 'option3']},
			titledSingle: {
				type: 'string' as const,
				oneOf: [
					{const: 'value1', title: 'First Option'},
					{const: 'value2', title: 'Second Option'},
					{const: 'value3', title: 'Third Option'},
				],
			},
			legacyEnum: {
				type: 'string' as const,
				enum: ['opt1', 'opt2', 'opt3'],
				enumNames: ['Option One', 'Option Two', 'Option Three'],
			},
			untitledMulti: {
				type: 'array' as const,
				items: {type: 'string' as const, enum: ['option1', 'option2', 'option3']},
			},
			titledMulti: {
				type: 'array' as const,
				items: {
					anyOf: [
						{const: 'value1', title: 'First Choice'},
						{const: 'value2', title: 'Second Choice'},
						{const: 'value3', title: 'Third Choice'},
					],
				},
			},
		},
	},
};

const schemas: Readonly<Record<string, {type: 'object'; [keyword: string]: unknown}>> = {
	test_elicitation: {type: 'object', properties: {message: {type: 'string'}}, required: ['message']},
	test_sampling: {type: 'object', properties: {prompt: {type: 'string'}}, required: ['prompt']},
	json_schema_2020_12_tool: {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		type: 'object',
		$defs: {
			address: {
				$anchor: 'addressDef',
				type: 'object',
				properties: {street: {type: 'string'}, city: {type: 'string'}},
			},
		},
		properties: {
			name: {type: 'string'},
			address: {$ref: '#/$defs/address'},
			contactMethod: {type: 'string', enum: ['phone', 'email']},
			phone: {type: 'string'},
			email: {type: 'string'},
		},
		allOf: [{anyOf: [{required: ['phone']}, {required: ['email']}]}],
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		...{if: {properties: {contactMethod: {const: 'phone'}}}, then: {required: ['phone']}, else: {required: ['email']}},
		additionalProperties: false,
	},
};

/** A tool as tools/list shows it. */
export const toolOf = (name: string) => ({
	name,
	description: `Conformance fixture: ${name}`,
	inputSchema: schemas[name] ?? {type: 'object' as const},
});

const listed = [
	{uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain'},
	{uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png'},
	{uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain'},
];

export const resources = {
	listed: listed.map((resource) => ({...resource, description: `Conformance fixture: ${resource.name}`})),
	templates: [{uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json'}],
	/** undefined when there is no such resource. */
	read: (uri: string) => {
		const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
		if (id !== undefined)
			return {
				uri,
				mimeType: 'application/json',
				text: JSON.stringify({id, templateTest: true, data: `Data for ID: ${id}`}),
			};
		const found = listed.find((resource) => resource.uri === uri);
		if (found === undefined) return undefined;
		return found.mimeType === 'image/png'
			? {uri, mimeType: found.mimeType, blob: image}
			: {uri, mimeType: found.mimeType, text: `This is the content of ${found.name}.`};
	},
};

type Arguments = Readonly<Record<string, string>>;

const user = <T>(content: T) => ({role: 'user' as const, content});

export const prompts = {
	test_simple_prompt: {arguments: [], messages: () => [user(text('This is a simple prompt for testing.'))]},
	test_prompt_with_arguments: {
		arguments: ['arg1', 'arg2'],
		messages: ({arg1, arg2}: Arguments) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
	},
	test_prompt_with_embedded_resource: {
		arguments: ['resourceUri'],
		messages: ({resourceUri = ''}: Arguments) => [
			user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
			user(text('Please process the embedded resource above.')),
		],
	},
	test_prompt_with_image: {
		arguments: [],
		messages: () => [user(picture), user(text('Please analyze the image above.'))],
	},
};
