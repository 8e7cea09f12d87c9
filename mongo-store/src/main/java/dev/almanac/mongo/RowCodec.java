package dev.almanac.mongo;

import dev.almanac.model.JobExecutionStatus;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;

/** Writes new status rows without a document in between. Rows are read as documents, since they may be damaged. */
record RowCodec(CodecRegistry values) implements Codec<JobExecutionStatus> {
    @Override
    public void encode(BsonWriter writer, JobExecutionStatus row, EncoderContext context) {
        writer.writeStartDocument();
        for (Field<JobExecutionStatus> field : RowDocument.ROW) {
            field.write(writer, row, values);
        }
        writer.writeEndDocument();
    }

    @Override
    public JobExecutionStatus decode(BsonReader reader, DecoderContext context) {
        throw new UnsupportedOperationException("rows are read as documents");
    }

    @Override
    public Class<JobExecutionStatus> getEncoderClass() {
        return JobExecutionStatus.class;
    }
}
