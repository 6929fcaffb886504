import { Trash2, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { request, useAction, useQuery } from '../api'
import { Button, IconButton } from '../button'
import { Text } from '../form'
import {
  CreateImageDocument,
  DeleteImageDocument,
  type ImagePartsFragment,
  ImagesDocument,
  type ImagesQuery,
  ImagesUrlDocument,
} from '../gql'
import { Dialog, Question } from '../overlay'
import type { Place } from '../pages/places'
import { Usages } from '../pages/usages'
import { type Position, pageAt } from '../pagination'
import { May } from '../role'
import { Empty, Failure, Load, Note, Pager } from '../ui'
import { useDrop } from './drop'
import { addressOf, imageKinds, inputOf, sizeText } from './file'

import { word } from './words'

type Image = ImagePartsFragment
type Listed = ImagesQuery['images']['nodes'][number]

/** How many images a page has: each is loaded as a whole. */
const pageSize = 12

/** Uploads an image, or chooses one of the environment. */
export default function Chooser({
  file,
  asksAlt,
  onChoose,
  onClose,
}: {
  /** What was dropped, which is uploaded at once. */
  file?: File
  /** Whether the alternative text is asked for here. */
  asksAlt?: boolean
  onChoose: (image: { address: string; alt: string }) => void
  onClose: () => void
}) {
  const [alt, setAlt] = useState('')
  const [name, setName] = useState('')
  const [position, setPosition] = useState<Position>({})
  const pager = pageAt(position, setPosition)
  const { first, last } = pager.variables
  const query = useQuery(ImagesDocument, {
    ...pager.variables,
    first: first && pageSize,
    last: last && pageSize,
    filter: name ? { nameContains: name } : undefined,
  })
  const below = useQuery(ImagesUrlDocument, {}).data
  const choose = (image: Image) => {
    onChoose({ address: addressOf(image), alt })
    onClose()
  }
  return (
    <Dialog title={word('title')} onClose={onClose}>
      {asksAlt && <Text label={word('alt')} hint={word('altHint')} value={alt} onChange={setAlt} />}
      {below?.imagesUrl === null && <Note tone="wait">{word('noAddress', { origin: location.origin })}</Note>}
      <May>
        <UploadFile file={file} onUploaded={choose} />
      </May>
      <Text
        label={word('search')}
        type="search"
        value={name}
        onChange={(n) => {
          setName(n)
          setPosition({})
        }}
      />
      <Load of={query}>
        {({ images: { nodes, pageInfo } }) => (
          <>
            {nodes.length === 0 && <Empty>{name ? word('noneFound') : word('none')}</Empty>}
            <ul className="images" aria-label={word('list')}>
              {nodes.map((image) => (
                <ImageRow key={image.id} of={image} onChoose={() => choose(image)} onRemoved={query.reload} />
              ))}
            </ul>
            <Pager label={word('list')} pager={pager} info={pageInfo} />
          </>
        )}
      </Load>
    </Dialog>
  )
}

function UploadFile({ file, onUploaded }: { file?: File; onUploaded: (image: Image) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const begun = useRef(false)
  const upload = async (file: File) => {
    setBusy(true)
    setError(undefined)
    try {
      const { createImage } = await request(CreateImageDocument, { input: await inputOf(file) })
      onUploaded(createImage.image)
    } catch (e) {
      setError(e as Error)
      setBusy(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped is uploaded once.
  useEffect(() => {
    if (file && !begun.current) void upload(file)
    begun.current = true
  }, [])
  const { over, on } = useDrop(upload)
  return (
    <div className={over ? 'image-drop over' : 'image-drop'} role="group" aria-label={word('upload')} {...on}>
      <Button icon={Upload} look="primary" disabled={busy} onClick={() => input.current?.click()}>
        {busy ? word('uploading') : word('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={imageKinds.join()}
        onChange={(e) => {
          const chosen = e.target.files?.[0]
          e.target.value = ''
          if (chosen) void upload(chosen)
        }}
      />
      <span className="soft small">{word('drop')}</span>
      <Failure error={error} />
    </div>
  )
}

function ImageRow({ of, onChoose, onRemoved }: { of: Listed; onChoose: () => void; onRemoved: () => void }) {
  const { id, name, path, width, height, size, usages } = of
  const [asks, setAsks] = useState(false)
  const remove = useAction(DeleteImageDocument, onRemoved)
  return (
    <li>
      <button type="button" className="image-choice" onClick={onChoose}>
        <img src={path} alt="" loading="lazy" />
        <strong className="small" title={name}>
          {name}
        </strong>
        <span className="soft small">
          {width} × {height} · {sizeText(size)}
        </span>
      </button>
      <UsedIn usages={usages} />
      <May>
        <IconButton
          icon={Trash2}
          className="remove-image"
          label={word('remove', { name })}
          disabled={remove.busy}
          onClick={() => setAsks(true)}
        />
      </May>
      <Failure error={remove.error} />
      {asks && (
        <Question
          title={word('deleteImage')}
          question={
            usages.length === 0 ? (
              word('removeQuestion', { name })
            ) : (
              <div>
                <p>{word('removeUsed', { name })}</p>
                <Usages of={usages.map(placeOf)} most={10} />
              </div>
            )
          }
          yes={word(usages.length === 0 ? 'deleteImage' : 'deleteUsed')}
          onYes={() => void remove.run({ id })}
          onNo={() => setAsks(false)}
        />
      )}
    </li>
  )
}

/** The server lists no more. */
const mostUsages = 100

/** What has the address of an image. */
function UsedIn({ usages }: { usages: Listed['usages'] }) {
  if (usages.length === 0) return <p className="soft small">{word('unused')}</p>
  return (
    <details className="image-usages small">
      <summary>{word(usages.length < mostUsages ? 'used' : 'usedMost', { n: usages.length })}</summary>
      <Usages of={usages.map(placeOf)} most={10} />
    </details>
  )
}

const placeOf = ({ kind, name }: Listed['usages'][number]): Place => ({ kind, name })
