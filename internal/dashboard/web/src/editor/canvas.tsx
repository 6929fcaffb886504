import { t } from '../text/text'
import '@xyflow/react/dist/base.css'
import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMay } from '../role'
import { AddStep, type CardProps, cardRows, StepCard, TriggerCard } from './card'
import { cardHeight, cardWidth, dropped, tops } from './line'
import { cardKey, type LineProps } from './line-props'

type CardNode = Node<{ card?: CardProps; line: LineProps; name: string }>

/** The steps of a workflow as a line on a canvas. */
export default function Canvas(line: LineProps) {
  return (
    <ReactFlowProvider>
      <Line {...line} />
    </ReactFlowProvider>
  )
}

const kinds = { card: CardOf }

// What can be neither dragged nor chosen on the canvas itself would let the pointer through: its buttons could not be pressed.
const pressable = { pointerEvents: 'all' } as const

function Line(line: LineProps) {
  const { cards, actions } = line
  const may = useMay('EDITOR')
  const [drag, setDrag] = useState<{ from: number; y: number }>()
  const heights = useMemo(() => [cardHeight(0), ...cards.map((c) => cardHeight(cardRows(c.step, c.figures)))], [cards])
  const to = drag && Math.max(0, dropped(heights, drag.from + 1, drag.y + heights[drag.from + 1]! / 2) - 1)
  const order = useMemo(() => {
    const all = cards.map((_, i) => i)
    return drag && to !== undefined ? all.toSpliced(drag.from, 1).toSpliced(to, 0, drag.from) : all
  }, [cards, drag, to])
  const { nodes, edges } = useMemo(() => {
    const places = tops([heights[0]!, ...order.map((i) => heights[i + 1]!)])
    const nodes: CardNode[] = [
      {
        id: 'trigger',
        type: 'card',
        position: { x: 0, y: 0 },
        width: cardWidth,
        height: heights[0],
        draggable: false,
        style: pressable,
        data: { line, name: t('card.theTrigger') },
      },
      ...cards.map((c, i): CardNode => {
        const name = c.step.name || c.step.stepId || ''
        return {
          id: cardKey(c),
          type: 'card',
          position: { x: 0, y: drag?.from === i ? drag.y : places[order.indexOf(i) + 1]! },
          width: cardWidth,
          height: heights[i + 1],
          draggable: may,
          style: pressable,
          zIndex: drag?.from === i ? 1 : 0,
          data: { line, name, card: { ...c, at: i, last: i === cards.length - 1, actions } },
        }
      }),
    ]
    const ids = ['trigger', ...order.map((i) => cardKey(cards[i]!))]
    const edges: Edge[] = ids.slice(1).map((id, i) => ({
      id: `${ids[i]}>${id}`,
      source: ids[i]!,
      target: id,
      type: 'straight',
      ariaLabel: t('canvas.toStep', { n: i + 1 }),
    }))
    return { nodes, edges }
  }, [line, cards, heights, order, drag, may, actions])
  const at = (id: string) => cards.findIndex((c) => cardKey(c) === id)
  return (
    <ReactFlow
      className="line"
      nodes={nodes}
      edges={edges}
      nodeTypes={kinds}
      onNodeDrag={(_, n) => setDrag({ from: at(n.id), y: n.position.y })}
      onNodeDragStop={() => {
        if (drag && to !== undefined && to !== drag.from) actions.move(drag.from, to)
        setDrag(undefined)
      }}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      panOnScroll
      zoomOnDoubleClick={false}
      minZoom={0.4}
      maxZoom={1.25}
      nodeDragThreshold={4}
      proOptions={{ hideAttribution: true }}
      ariaLabelConfig={{
        'controls.ariaLabel': t('canvas.controls'),
        'controls.zoomIn.ariaLabel': t('canvas.zoomIn'),
        'controls.zoomOut.ariaLabel': t('canvas.zoomOut'),
      }}
    >
      <Background gap={20} />
      <Controls showInteractive={false} showFitView={false} position="bottom-left" />
      <Middle length={nodes.at(-1)!.position.y} count={nodes.length} />
    </ReactFlow>
  )
}

/** Keeps the line in the middle of the canvas, and what has the focus in view. */
function Middle({ length, count }: { length: number; count: number }) {
  const flow = useReactFlow()
  const width = useStore((s) => s.width)
  const height = useStore((s) => s.height)
  const place = useStore((s) => s.domNode)
  const began = useRef(false)
  useEffect(() => {
    if (!width) return
    const { y, zoom } = flow.getViewport()
    void flow.setViewport({ x: (width - cardWidth * zoom) / 2, y: began.current ? y : 32, zoom })
    began.current = true
  }, [width, flow])
  useEffect(() => {
    const focus = (e: FocusEvent) => {
      const node = (e.target as Element).closest('.react-flow__node')
      const found = node && flow.getNode(node.getAttribute('data-id') ?? '')
      if (!found) return
      const { x, y, zoom } = flow.getViewport()
      const top = found.position.y * zoom + y
      const bottom = top + (found.height ?? 0) * zoom + 40
      if (top < 0) void flow.setViewport({ x, y: y - top + 32, zoom })
      else if (bottom > height) void flow.setViewport({ x, y: y - (bottom - height) - 16, zoom })
    }
    // Browsers scroll to what has the focus; here the viewport moves instead.
    const still = () => place?.scrollTo(0, 0)
    place?.addEventListener('focusin', focus)
    place?.addEventListener('scroll', still, true)
    return () => {
      place?.removeEventListener('focusin', focus)
      place?.removeEventListener('scroll', still, true)
    }
  }, [place, flow, height])
  // A step at the end that was just added comes into view. That cards grow when their figures arrive moves nothing.
  const before = useRef({ length, count })
  useEffect(() => {
    if (count > before.current.count && length > before.current.length) {
      const { x, y, zoom } = flow.getViewport()
      const bottom = length * zoom + y + 150
      if (bottom > height) void flow.setViewport({ x, y: y - (bottom - height), zoom })
    }
    before.current = { length, count }
  }, [length, count, height, flow])
  return null
}

function CardOf({ data: { card, line, name } }: NodeProps<CardNode>) {
  const at = card ? card.at + 1 : 0
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {card ? (
        <StepCard {...card} />
      ) : (
        <TriggerCard name={line.identifier} chosen={line.whole} onChoose={line.onWhole} />
      )}
      <AddStep at={at} actions={line.actions} after={name} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}
