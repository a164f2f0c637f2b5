// The storage client as it is published, against a running server. Prints one line of JSON for each check, and one at the
// end; a check that fails says why.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { StorageClient } from '@supabase/storage-js'

const server = process.env.PARLEY_URL
const token = process.env.PARLEY_TOKEN
const own = `agent-inputs/${process.env.PARLEY_USER}`
const others = `agent-inputs/${process.env.PARLEY_OTHER_USER}`
const png = Buffer.from(process.env.PARLEY_PNG, 'base64')
const BUCKET = 'agent-files'
const LARGEST = 10 * 1024 * 1024
const NAMES = ['with space.txt', '中文.txt', '😀.txt', 'a#b.txt', 'a?b.txt', '100%.txt', '%41.txt', 'a+b.txt', 'a&b=c.txt', `"double" 'single'.txt`, 'e\u0301.txt', '(a)[b]{c}!*;:@$,~^|<>.txt']

const of = (bearer) => new StorageClient(`${server}/storage/v1`, { apikey: 'none', Authorization: `Bearer ${bearer}` })
const client = (bearer) => of(bearer).from(BUCKET)
const storage = client(token)
const stranger = client(process.env.PARLEY_OTHER_TOKEN)

const checks = []
const check = (name, run) => checks.push({ name, run })

let last = 0
const fresh = (name = 'file.txt') => `${own}/check ${++last}/${name}`
// What an app must do itself: the client puts names into addresses as they are.
const inAddress = (path) => path.split('/').map(encodeURIComponent).join('/')

async function ok(call) {
  const { data, error } = await call
  assert.equal(error, null, error && `${error.status} ${error.message}`)
  return data
}

/** Newer clients tell the code of a refusal as well. */
async function refusedAs(code, call, status) {
  const { error } = await call
  await refused(Promise.resolve({ data: null, error }), status)
  assert.ok(error.code === code || !('code' in error), `${error.code} in place of ${code}`)
}

async function refused(call, ...statuses) {
  const { data, error } = await call
  assert.ok(error, 'was not refused')
  assert.ok(statuses.includes(error.status), `${error.status} ${error.message}`)
  assert.equal(error.statusCode, String(error.status))
  assert.ok(error.message.length > 0)
  assert.ok(!data)
}

// As names stand in a header: a colon is no part of a file's name everywhere.
const asHeader = (name) =>
  encodeURIComponent(name.replace(/:/g, '_')).replace(/[!'()*]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())

const bytes = async (path) => Buffer.from(await (await ok(storage.download(path))).arrayBuffer())
const kept = async (text, name) => {
  const path = fresh(name)
  await ok(storage.upload(inAddress(path), text))
  return path
}
const fetched = async (url) => {
  const answer = await fetch(url)
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

check('upload of a Blob', async () => {
  const path = fresh()
  const data = await ok(storage.upload(path, new Blob(['hello'], { type: 'text/plain' })))
  assert.equal(data.path, path)
  assert.equal(data.fullPath, `${BUCKET}/${path}`)
  assert.match(data.id, /^[0-9a-f-]{36}$/)
  const blob = await ok(storage.download(path))
  assert.equal(blob.type, 'text/plain')
  assert.equal(await blob.text(), 'hello')
})

check('upload of a File, a Buffer, a Uint8Array, an ArrayBuffer, a string, a stream and a form', async () => {
  const form = new FormData()
  form.append('whatever', new Blob(['bytes']))
  const stream = new Blob(['bytes']).stream()
  const bodies = [new File(['bytes'], 'given.txt'), Buffer.from('bytes'), new Uint8Array(Buffer.from('bytes')),
    new Uint8Array(Buffer.from('bytes')).buffer, 'bytes', stream, form]
  for (const body of bodies) {
    const path = fresh()
    await ok(storage.upload(path, body))
    assert.equal((await bytes(path)).toString(), 'bytes', body.constructor.name)
  }
})

check('upload keeps type, cache time and metadata, in both ways to send', async () => {
  const metadata = { author: 'Äöü 中文', nested: { list: [1, null, true] } }
  for (const body of [new Blob([png], { type: 'image/png' }), png]) {
    const path = fresh('picture.png')
    await ok(storage.upload(path, body, { contentType: 'image/png', cacheControl: '120', metadata }))
    const info = await ok(storage.info(path))
    assert.equal(info.contentType, 'image/png')
    assert.equal(info.cacheControl, 'max-age=120')
    assert.deepEqual(info.metadata, metadata)
    assert.equal(info.size, png.length)
    assert.equal(info.name, path)
    assert.equal(info.bucketId, BUCKET)
    assert.ok(Date.parse(info.createdAt) <= Date.parse(info.lastModified))
    assert.match(info.etag, /^"[0-9a-f]{32}"$/)
  }
})

check('upload to a name that is taken', async () => {
  const path = await kept('first')
  await refused(storage.upload(path, 'second'), 409)
  assert.equal((await bytes(path)).toString(), 'first')
})

check('upload with upsert', async () => {
  const path = fresh()
  await ok(storage.upload(path, 'first', { upsert: true }))
  await ok(storage.upload(path, 'second', { upsert: true }))
  assert.equal((await bytes(path)).toString(), 'second')
})

check('update', async () => {
  const path = await kept('first')
  const before = await ok(storage.info(path))
  const data = await ok(storage.update(path, new Blob(['second']), { cacheControl: '5' }))
  assert.equal(data.fullPath, `${BUCKET}/${path}`)
  assert.equal(data.id, before.id)
  assert.equal((await bytes(path)).toString(), 'second')
  assert.notEqual((await ok(storage.info(path))).etag, before.etag)
  await refused(storage.update(fresh(), 'nothing'), 404)
})

check('download, byte for byte: nothing, one byte, the largest', async () => {
  for (const size of [0, 1, LARGEST]) {
    const content = randomBytes(size)
    for (const body of [content, new Blob([content])]) {
      const path = fresh(`${size}.bin`)
      await ok(storage.upload(path, body, { contentType: 'application/octet-stream' }))
      assert.ok((await bytes(path)).equals(content), `${size} bytes`)
    }
  }
})

check('one byte more than the largest', async () => {
  for (const body of [Buffer.alloc(LARGEST + 1), new Blob([Buffer.alloc(LARGEST + 1)])]) {
    const path = fresh()
    await refused(storage.upload(path, body), 413)
    assert.equal((await storage.exists(path)).data, false)
  }
})

check('download of what is not there, and as a stream', async () => {
  await refused(storage.download(fresh()), 404)
  const path = await kept('streamed')
  const stream = await ok(storage.download(path).asStream())
  assert.equal(await new Response(stream).text(), 'streamed')
})

check('info and exists', async () => {
  const path = await kept('here')
  assert.deepEqual(await storage.exists(path), { data: true, error: null })
  const missing = await storage.exists(fresh())
  assert.equal(missing.data, false)
  assert.equal(missing.error.status, 404)
  await refused(storage.info(fresh()), 404)
})

check('codes of refusals', async () => {
  const path = await kept('here')
  await refusedAs('NoSuchKey', storage.info(fresh()), 404)
  await refusedAs('NoSuchKey', stranger.info(path), 404)
  await refusedAs('NoSuchKey', storage.createSignedUrl(fresh(), 60), 404)
  await refusedAs('ResourceAlreadyExists', storage.upload(path, 'again'), 409)
  await refusedAs('AccessDenied', stranger.upload(path, 'planted'), 403)
  await refusedAs('InvalidJWT', client('nonsense').info(path), 401)
  await refusedAs('InvalidParameter', storage.createSignedUrl(path, 0), 400)
  await refusedAs('InvalidKey', storage.move(path, `${own}/a//b`), 400)
  await refusedAs('EntityTooLarge', storage.upload(fresh(), Buffer.alloc(LARGEST + 1)), 413)
  await refusedAs('NoSuchBucket', of(token).from('another').info(path), 404)
})

check('exists tells a missing object from other refusals', async () => {
  assert.equal((await storage.exists(fresh())).data, false)
  // Older clients ask without a body, so they take every 404 for a missing object.
  const elsewhere = await of(token).from('another').exists(fresh()).then(({ data }) => data, (error) => error.code)
  assert.ok([false, 'NoSuchBucket'].includes(elsewhere), String(elsewhere))
})

check('listBuckets and getBucket', async () => {
  const bucket = await ok(of(token).getBucket(BUCKET))
  assert.deepEqual([bucket.id, bucket.name, bucket.public, bucket.file_size_limit], [BUCKET, BUCKET, false, LARGEST])
  assert.ok(Date.parse(bucket.created_at) <= Date.now())
  assert.deepEqual(await ok(of(token).listBuckets()), [bucket])
  assert.deepEqual(await ok(of(token).listBuckets({ search: 'agent' })), [bucket])
  assert.deepEqual(await ok(of(token).listBuckets({ search: '文' })), [])
  assert.deepEqual(await ok(of(token).listBuckets({ limit: 1, offset: 0, sortColumn: 'name' })), [bucket])
  assert.deepEqual(await ok(of(token).listBuckets({ limit: 1, offset: 1 })), [])
  await refusedAs('InvalidParameter', of(token).listBuckets({ limit: 0 }), 400)
  await refusedAs('InvalidParameter', of(token).listBuckets({ offset: -1 }), 400)
  await refusedAs('NoSuchBucket', of(token).getBucket('another'), 404)
  await refusedAs('InvalidJWT', of('nonsense').listBuckets(), 401)
  await refused(of(token).createBucket('another'), 405)
  await refused(of(token).deleteBucket(BUCKET), 405)
})

check('createSignedUrl opens for anybody', async () => {
  const path = fresh('picture.png')
  await ok(storage.upload(path, new Blob([png], { type: 'image/png' })))
  const { signedUrl } = await ok(storage.createSignedUrl(path, 60))
  assert.ok(signedUrl.startsWith(`${server}/storage/v1/object/sign/${BUCKET}/`))
  const got = await fetched(signedUrl)
  assert.equal(got.status, 200)
  assert.ok(got.body.equals(png))
  assert.match(got.headers.get('content-disposition'), /^inline; filename="picture.png"/)
  assert.equal(got.headers.get('content-type'), 'image/png')
  await refused(storage.createSignedUrl(fresh(), 60), 404)
})

check('createSignedUrl to download', async () => {
  const path = fresh('picture.png')
  await ok(storage.upload(path, new Blob([png], { type: 'image/png' })))
  const named = async (download) => {
    const { signedUrl } = await ok(storage.createSignedUrl(path, 60, { download }))
    const got = await fetched(signedUrl)
    assert.equal(got.status, 200)
    return got.headers.get('content-disposition')
  }
  assert.match(await named(true), /^attachment; filename="picture.png"/)
  assert.match(await named('my holiday.png'), /^attachment; filename="my holiday.png"/)
  assert.match(await named('中文 "a".png'), /filename\*=UTF-8''%E4%B8%AD%E6%96%87%20%22a%22\.png$/)
})

check('lives of signed URLs', async () => {
  const path = await kept('for a while')
  await ok(storage.createSignedUrl(path, 1))
  await ok(storage.createSignedUrl(path, 604800))
  for (const life of [0, -1, 604801, 1.5, '60', null]) {
    await refused(storage.createSignedUrl(path, life), 400)
    await refused(storage.createSignedUrls([path], life), 400)
  }
})

check('createSignedUrls, one of which is missing', async () => {
  const paths = [await kept('one'), fresh(), await kept('two', '中 #1?.txt')]
  const data = await ok(storage.createSignedUrls(paths, 60))
  assert.deepEqual(data.map((each) => each.path), paths)
  assert.deepEqual(data.map((each) => each.error === null), [true, false, true])
  assert.equal(data[1].signedUrl, null)
  assert.equal((await fetched(data[0].signedUrl)).body.toString(), 'one')
  const [kept2] = await ok(storage.createSignedUrls([paths[0]], 60, { download: 'x.txt' }))
  assert.match((await fetched(kept2.signedUrl)).headers.get('content-disposition'), /^attachment; filename="x.txt"/)
})

check('createSignedUploadUrl and uploadToSignedUrl', async () => {
  const path = fresh('by somebody else.txt')
  const granted = await ok(storage.createSignedUploadUrl(path))
  assert.equal(granted.path, path)
  const anybody = new StorageClient(`${server}/storage/v1`, {}).from(BUCKET)
  const data = await ok(anybody.uploadToSignedUrl(path, granted.token, new Blob(['theirs']), { metadata: { by: 'them' } }))
  assert.equal(data.fullPath, `${BUCKET}/${path}`)
  assert.equal((await bytes(path)).toString(), 'theirs')
  assert.deepEqual((await ok(storage.info(path))).metadata, { by: 'them' })
  await refused(anybody.uploadToSignedUrl(path, granted.token, 'again'), 409)
  await refused(anybody.uploadToSignedUrl(fresh(), granted.token, 'elsewhere'), 404)
  const upsert = await ok(storage.createSignedUploadUrl(path, { upsert: true }))
  await ok(anybody.uploadToSignedUrl(path, upsert.token, 'again'))
  await ok(anybody.uploadToSignedUrl(path, upsert.token, 'and again'))
  assert.equal((await bytes(path)).toString(), 'and again')
  const byUrl = await fetch((await ok(storage.createSignedUploadUrl(fresh()))).signedUrl, { method: 'PUT', body: 'x' })
  assert.equal(byUrl.status, 200)
  await refused(anybody.createSignedUploadUrl(path), 401)
})

check('list', async () => {
  const folder = `${own}/listed`
  for (const name of ['b.txt', 'a.txt', 'C.txt', 'sub/one.txt', 'sub/two.txt', '😀.txt', '中文.txt']) {
    await ok(storage.upload(`${folder}/${name}`, name))
  }
  const names = async (path, options) => (await ok(storage.list(path, options))).map((each) => each.name)
  assert.deepEqual(await names(folder), ['C.txt', 'a.txt', 'b.txt', 'sub', '中文.txt', '😀.txt'])
  assert.deepEqual(await names(`${folder}/`), await names(folder))
  assert.deepEqual(await names(`${folder}/sub`), ['one.txt', 'two.txt'])
  assert.deepEqual(await names(folder, { limit: 2 }), ['C.txt', 'a.txt'])
  assert.deepEqual(await names(folder, { limit: 2, offset: 1 }), ['a.txt', 'b.txt'])
  assert.deepEqual(await names(folder, { sortBy: { column: 'name', order: 'desc' }, limit: 1 }), ['😀.txt'])
  assert.deepEqual(await names(folder, { sortBy: { column: 'created_at' }, limit: 1 }), ['b.txt'])
  assert.deepEqual(await names(folder, { sortBy: { column: 'updated_at', order: 'desc' }, limit: 1 }), ['中文.txt'])
  assert.deepEqual(await names(folder, { search: 'A' }), ['a.txt'])
  assert.deepEqual(await names(folder, { search: '中' }), ['中文.txt'])
  assert.deepEqual(await names(`${own}/nothing`), [])
  assert.deepEqual(await names(), ['agent-inputs'])
  const [first] = await ok(storage.list(`${folder}/sub`))
  assert.equal(first.metadata.size, 'sub/one.txt'.length)
  assert.equal(first.metadata.mimetype, 'text/plain;charset=UTF-8')
  assert.ok(first.id && first.created_at && first.updated_at)
  const [sub] = await ok(storage.list(folder, { search: 'sub' }))
  assert.equal(sub.id, null)
  assert.equal(sub.metadata, null)
  await refused(storage.list(folder, { sortBy: { column: 'owner' } }), 400)
  await refused(storage.list(folder, { limit: 0 }), 400)
})

check('listV2, page by page', async () => {
  const folder = `${own}/paged`
  const all = ['1.txt', '2.txt', 'a/x.txt', 'a/y.txt', 'b/z.txt'].map((name) => `${folder}/${name}`)
  for (const path of all) await ok(storage.upload(path, path))
  const paged = async (options) => {
    const found = []
    let cursor
    do {
      const page = await ok(storage.listV2({ prefix: `${folder}/`, limit: 2, cursor, ...options }))
      found.push(...page.folders.map((each) => each.name), ...page.objects.map((each) => each.name))
      cursor = page.nextCursor
      assert.equal(page.hasNext, Boolean(cursor))
    } while (cursor)
    return found
  }
  assert.deepEqual(await paged(), all)
  assert.deepEqual(await paged({ sortBy: { column: 'name', order: 'desc' } }), [...all].reverse())
  assert.deepEqual(await paged({ sortBy: { column: 'created_at' } }), all)
  assert.deepEqual(await paged({ with_delimiter: true }), [all[0], all[1], `${folder}/a/`, `${folder}/b/`])
  await refused(storage.listV2({ cursor: 'nonsense' }), 400)
})

check('move', async () => {
  const from = await kept('moving')
  const to = fresh('moved.txt')
  assert.equal((await ok(storage.move(from, to))).message, 'Successfully moved')
  assert.equal((await storage.exists(from)).data, false)
  assert.equal((await bytes(to)).toString(), 'moving')
  await refused(storage.move(from, fresh()), 404)
  await refused(storage.move(to, await kept('in the way')), 409)
  await refused(storage.move(to, fresh(), { destinationBucket: 'another' }), 404)
})

check('copy', async () => {
  const from = await kept('copied')
  const to = fresh('copy.txt')
  assert.equal((await ok(storage.copy(from, to))).path, `${BUCKET}/${to}`)
  await ok(storage.remove([from]))
  assert.equal((await bytes(to)).toString(), 'copied')
  await refused(storage.copy(from, fresh()), 404)
  await refused(storage.copy(to, await kept('in the way')), 409)
})

check('remove', async () => {
  const paths = [await kept('one'), await kept('two')]
  const { signedUrl } = await ok(storage.createSignedUrl(paths[0], 60))
  const removed = await ok(storage.remove([...paths, fresh(), '../x', '']))
  assert.deepEqual(removed.map((each) => each.name).sort(), [...paths].sort())
  assert.equal((await storage.exists(paths[0])).data, false)
  assert.equal((await fetched(signedUrl)).status, 404)
  assert.deepEqual(await ok(storage.remove(paths)), [])
})

check('getPublicUrl leads to nothing', async () => {
  const path = await kept('private')
  const { publicUrl } = storage.getPublicUrl(path).data
  assert.equal((await fetched(publicUrl)).status, 404)
})

for (const name of NAMES) {
  check(`the name ${name}`, async () => {
    const path = fresh(name)
    const folder = path.slice(0, path.lastIndexOf('/'))
    const address = inAddress(path)
    assert.equal((await ok(storage.upload(address, 'named'))).fullPath, `${BUCKET}/${path}`)
    assert.equal((await bytes(address)).toString(), 'named')
    assert.equal((await ok(storage.info(address))).name, path)
    assert.equal((await storage.exists(address)).data, true)
    assert.deepEqual((await ok(storage.list(folder))).map((each) => each.name), [name])
    const { signedUrl } = await ok(storage.createSignedUrl(address, 60))
    const [many] = await ok(storage.createSignedUrls([path], 60))
    for (const url of [signedUrl, many.signedUrl]) {
      const got = await fetched(url)
      assert.equal(got.status, 200, `${url} ${got.body}`)
      assert.equal(got.body.toString(), 'named')
      assert.ok(got.headers.get('content-disposition').endsWith(`filename*=UTF-8''${asHeader(name)}`), got.headers.get('content-disposition'))
    }
    const again = fresh(name)
    await ok(storage.move(path, again))
    await ok(storage.copy(again, path))
    const granted = await ok(storage.createSignedUploadUrl(inAddress(again), { upsert: true }))
    await ok(storage.uploadToSignedUrl(inAddress(again), granted.token, 'by URL'))
    const byUrl = await fetch(granted.signedUrl, { method: 'PUT', body: 'as it is' })
    assert.equal(byUrl.status, 200, await byUrl.text())
    assert.equal((await ok(storage.remove([path, again]))).length, 2)
  })
}
check('a name that an address carries without the app having to encode it', async () => {
  const path = fresh('plain 中文 😀 +&.txt')
  await ok(storage.upload(path, 'as it is'))
  assert.equal((await bytes(path)).toString(), 'as it is')
  const { signedUrl } = await ok(storage.createSignedUrl(path, 60))
  assert.equal((await fetched(signedUrl)).body.toString(), 'as it is')
})

check('somebody else reaches nothing', async () => {
  const path = await kept('mine')
  const { signedUrl } = await ok(storage.createSignedUrl(path, 60))
  const theirs = `${others}/theirs.txt`
  await ok(stranger.upload(theirs, 'theirs', { upsert: true }))
  await refused(stranger.download(path), 404)
  await refused(stranger.info(path), 404)
  assert.equal((await stranger.exists(path)).data, false)
  await refused(stranger.createSignedUrl(path, 60), 404)
  assert.equal((await ok(stranger.createSignedUrls([path], 60)))[0].signedUrl, null)
  await refused(stranger.createSignedUploadUrl(path), 403)
  assert.deepEqual(await ok(stranger.list(own)), [])
  assert.deepEqual((await ok(stranger.listV2({ prefix: own }))).objects, [])
  await refused(stranger.move(path, `${others}/stolen.txt`), 403)
  await refused(stranger.move(theirs, `${own}/planted.txt`), 403)
  await refused(stranger.copy(path, `${others}/stolen.txt`), 404)
  await refused(stranger.copy(theirs, `${own}/planted.txt`), 403)
  assert.deepEqual(await ok(stranger.remove([path])), [])
  await refused(stranger.upload(path, 'planted', { upsert: true }), 403)
  await refused(stranger.upload(`${own}/planted.txt`, 'planted'), 403)
  await refused(stranger.update(path, 'planted'), 403)
  assert.equal((await bytes(path)).toString(), 'mine')
  const forged = signedUrl.replace(/token=.*/, `token=${process.env.PARLEY_OTHER_TOKEN}`)
  assert.equal((await fetched(forged)).status, 404)
})

check('another bucket', async () => {
  const elsewhere = new StorageClient(`${server}/storage/v1`, { Authorization: `Bearer ${token}` }).from('another')
  await refused(elsewhere.upload(fresh(), 'x'), 404)
  await refused(elsewhere.download(fresh()), 404)
  assert.deepEqual(await ok(elsewhere.list()), [])
})

check('what hangs on a message stays as it is', async () => {
  const path = fresh('shown.png')
  await ok(storage.upload(path, new Blob([png], { type: 'image/png' })))
  const { signedUrl } = await ok(storage.createSignedUrl(path, 60))
  const content = [{ type: 'text', text: 'Look' }, { type: 'binary', mimeType: 'image/png', url: signedUrl }]
  const run = await fetch(`${server}/api/v1/agent/runs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ threadId: crypto.randomUUID(), runId: 'run', messages: [{ id: 'm', role: 'user', content }] }),
  })
  assert.equal(run.status, 202, await run.text())
  const free = await kept('free')
  await refused(storage.move(path, fresh()), 409)
  await refused(storage.remove([free, path]), 409)
  await refused(storage.update(path, 'other'), 409)
  await refused(storage.upload(path, 'other', { upsert: true }), 409)
  assert.equal((await storage.exists(free)).data, true)
  await ok(storage.copy(path, fresh()))
  assert.ok((await bytes(path)).equals(png))
})

for (const { name, run } of checks) {
  let failure = null
  try {
    await run()
  } catch (error) {
    failure = String(error?.stack ?? error)
  }
  console.log(JSON.stringify({ check: name, failure }))
}
console.log(JSON.stringify({ done: checks.length }))
